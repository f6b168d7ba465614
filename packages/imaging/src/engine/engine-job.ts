import type { AiEngine } from '@uprez/contracts/policy/engines';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Network } from './upscaler/network.ts';

/** Progress of a run: the current stage, and `done` of `total` over all stages. */
export type Progress = { stage: string; done: number; total: number };

/** One run of the engine. `dir` contains `source`. `result` and `thumbnail.webp` are written to it. */
export type EngineJob = {
  plan: ImagePlan;
  dir: string;
  networks: Partial<Record<AiEngine, Network>>;
  /** Resident memory of this process above which tiles become smaller, bytes. */
  memoryBytes?: number;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
};
