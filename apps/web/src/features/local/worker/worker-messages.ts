import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import type { LocalModel } from '@uprez/contracts/schemas/jobs/local-model';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import type { ChainSetup } from '@uprez/imaging/browser/chain/run-chain';

export type Backend = 'webgpu' | 'wasm';

export type Probe = {
  backend: Backend;
  /** Whether the browser offers a GPU. The model may still run on the CPU. */
  hasGpu: boolean;
  threads: number;
  /** Speed in tiles and in strips, in input pixels per second. */
  pixelsPerSecond: number;
  stripPixelsPerSecond: number;
};

export type LocalReceipt = Omit<Receipt, 'thumbhash'>;
/** `gpuFailed`: whether the GPU failed during the run, which means that the model must be measured again. */
export type LocalResult = { file: Blob; receipt: LocalReceipt; gpuFailed: boolean };

/** `model`: required if the pipeline uses a model. */
export type RunRequest = { kind: 'run'; source: File; plan: ImagePipeline; model: LocalModel | undefined };
/** Request to load and measure a model. */
export type ProbeRequest = { kind: 'probe'; model: LocalModel };
/** Request to help another worker run the model. The helper stops when that worker ends the run. */
export type HelpRequest = { kind: 'help'; setup: ChainSetup; thread: number };
export type WorkerRequest = { id: number } & (ProbeRequest | RunRequest | HelpRequest);

/**
 * Why a run failed: the image can't be decoded or encoded, memory is exhausted, the result failed its check, or the
 * model can't be downloaded, is damaged, or doesn't start.
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
