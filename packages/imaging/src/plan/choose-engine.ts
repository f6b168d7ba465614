import type { EngineName, RequestedEngine } from '@uprez/contracts/policy/engines';
import type { JobLimits, Rejection } from './job-limits.ts';

/** `auto` is the operator's engine for upscaling, else `standard`. */
export function chooseEngine(asked: RequestedEngine, factor: number, limits: JobLimits): EngineName {
  if (asked !== 'auto') return asked;
  return factor > 1 ? limits.autoEngine : 'standard';
}

/** Check that a worker can run the engine. */
export function findEngineRejection(engine: EngineName, limits: JobLimits): Rejection | undefined {
  const available = limits.enginesAvailable;
  if (!available || available.includes(engine)) return undefined;
  return {
    code: 'engine_unavailable',
    detail: `The engine "${engine}" isn't available. Choose another one.`,
    param: 'engine',
    allowed: ['auto', ...available],
    meta: { limit: available.join(', '), value: engine },
  };
}
