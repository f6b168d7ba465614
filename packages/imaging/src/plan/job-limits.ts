import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { AiEngine, EngineName } from '@uprez/contracts/policy/engines';
import type { Tier } from '@uprez/contracts/policy/plans';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';

/** What a caller may have made: the plan's output, the operator's time limit and engines. */
export type JobLimits = {
  /** Largest output, pixels; `limits.outputPixels` holds as well. */
  maxOutputPixels: number;
  /** The plan of whoever asks, for its factors and formats; none where nobody is asked. */
  tier?: Tier;
  /** Longest estimate that is accepted, seconds. */
  maxJobSeconds: number;
  /** The engine behind `auto` when enlarging. */
  autoEngine: EngineName;
  /** Engines that some worker can run; all when absent. */
  enginesAvailable?: readonly EngineName[];
  /** Measured input pixels a second of this installation's networks, where known. */
  speed?: Partial<Record<AiEngine, number>>;
};

/** Why no plan was made. `meta.maxFactor`: the largest factor that would be accepted; `unlockedBy`: the smallest plan that allows it. */
export type Refusal = {
  code: ErrorCode;
  /** Public sentence. */
  detail: string;
  param?: string;
  allowed?: unknown;
  meta: { limit: number | string; value: number | string; maxFactor?: number; unlockedBy?: Tier };
};

export type PlanOutcome = { ok: true; plan: ImagePlan } | { ok: false; refusal: Refusal };
