import type { AiEngine } from '@uprez/contracts/policy/engines';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Network } from './upscaler/network.ts';

/** Share of a run that is done, and the stage that is running. `done` grows up to `total` over all stages. */
export type Progress = { stage: string; done: number; total: number };

/** One run of the engine. `dir` holds `source`; `result` and `thumbnail.webp` are written beside it. */
export type EngineJob = {
  plan: ImagePlan;
  dir: string;
  networks: Partial<Record<AiEngine, Network>>;
  /** Resident bytes of this process above which tiles become smaller. */
  memoryBytes?: number;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
};
