import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import type { LocalModel } from '@uprez/contracts/schemas/jobs/local-model';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import type { ChainSetup } from '@uprez/imaging/browser/chain/run-chain';

/** What runs the model in this browser. */
export type Backend = 'webgpu' | 'wasm';

/** A model that is ready, and how fast it is here. */
export type Probe = {
  backend: Backend;
  /** Whether the browser offers a graphics processor, used or not. */
  hasGpu: boolean;
  /** Of WebAssembly. */
  threads: number;
  /** Input pixels of tiles and of strips per second. */
  pixelsPerSecond: number;
  stripPixelsPerSecond: number;
};

export type LocalReceipt = Omit<Receipt, 'thumbhash'>;
/** `gpuFailed`: the graphics processor failed, so the model must be measured again. */
export type LocalResult = { file: Blob; receipt: LocalReceipt; gpuFailed: boolean };

/** `model`: required for plans with a model. */
export type RunRequest = { kind: 'run'; source: File; plan: ImagePipeline; model: LocalModel | undefined };
/** Loads a model, and measures it. */
export type ProbeRequest = { kind: 'probe'; model: LocalModel };
/** Lets this worker help another one to run the model, until that one ends the run. */
export type HelpRequest = { kind: 'help'; setup: ChainSetup; thread: number };
export type WorkerRequest = { id: number } & (ProbeRequest | RunRequest | HelpRequest);

/**
 * Why a run failed: the image can't be decoded or encoded, memory is full, or the model can't be downloaded, is damaged, or doesn't
 * start.
 */
export type LocalFailure =
  | 'undecodable'
  | 'memory'
  | 'download'
  | 'damaged'
  | 'model'
  | 'encoding'
  | 'check'
  | 'unknown';

export type WorkerReply = { id: number } & (
  | { kind: 'ready'; probe: Probe }
  | { kind: 'helping' }
  | { kind: 'progress'; share: number }
  | { kind: 'done'; result: LocalResult }
  | { kind: 'failed'; failure: LocalFailure; detail: string }
);
