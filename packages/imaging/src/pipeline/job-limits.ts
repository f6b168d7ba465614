import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { CustomEngine, JobEngine, ModelEngine } from '@uprez/contracts/policy/images/engines';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { CustomModelFacts, ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';

/** Limits from a caller's plan and from the operator. */
export type JobLimits = {
  /** Maximum output pixels. `limits.outputPixels` also applies. */
  maxOutputPixels: number;
  plan?: Plan;
  /** Maximum estimated time, in seconds. The plan's limit also applies. */
  maxJobSeconds: number;
  /** Whether the time limits apply to the time at full size. By default, they apply to the time of a soft image. */
  countsFullSize?: boolean;
  autoEngine: JobEngine;
  /** Engines of the running workers. Defaults to all engines. */
  enginesAvailable?: readonly JobEngine[];
  /** Engines that are paused. They start no jobs, so `auto` doesn't choose them. */
  pausedEngines?: readonly JobEngine[];
  /** Names of the CMYK profiles of the running workers. If absent, the worker checks the name. */
  printProfiles?: readonly string[];
  /** Custom models of the running workers. Defaults to none. */
  customModels?: Readonly<Partial<Record<CustomEngine, CustomModelFacts>>>;
  /** Measured input pixels per second of this installation's networks. */
  speed?: Partial<Record<ModelEngine, number>>;
};

/** `meta.maxFactor`: the largest accepted factor. `unlockedBy`: the smallest plan that allows the job. */
export type Rejection = {
  code: ErrorCode;
  detail: string;
  param?: string;
  allowed?: unknown;
  hint?: string;
  meta: { limit: number | string; value: number | string; maxFactor?: number; unlockedBy?: Tier };
};

export type PipelineOutcome = { ok: true; pipeline: ImagePipeline } | { ok: false; rejection: Rejection };
