import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { LocalModel } from '@uprez/contracts/schemas/local-model';
import type { Receipt } from '@uprez/contracts/schemas/receipt';

/** A model that is ready, and how fast it is here. */
export type Probe = {
  threads: number;
  /** Input pixels of tiles per second. */
  pixelsPerSecond: number;
};

export type LocalReceipt = Omit<Receipt, 'thumbhash'>;
export type LocalResult = { file: Blob; receipt: LocalReceipt };

/** `model`: required for plans with a model. */
export type RunRequest = { kind: 'run'; source: File; plan: ImagePlan; model: LocalModel | undefined };
/** Loads a model, and measures it. */
export type ProbeRequest = { kind: 'probe'; model: LocalModel };
export type WorkerRequest = { id: number } & (ProbeRequest | RunRequest);

/** Why a run failed: the image can't be decoded or encoded, memory is full, or the model doesn't work. */
export type LocalFailure = 'undecodable' | 'memory' | 'model' | 'encoding' | 'check' | 'unknown';

export type WorkerReply = { id: number } & (
  | { kind: 'ready'; probe: Probe }
  | { kind: 'progress'; share: number }
  | { kind: 'done'; result: LocalResult }
  | { kind: 'failed'; failure: LocalFailure; detail: string }
);
