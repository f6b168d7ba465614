import { type EngineName, isAiEngine } from '@uprez/contracts/engines';

/** Every network enlarges by this factor. */
export const networkFactor = 4;

/**
 * Network passes for an engine: one, or none for `standard`. Up to a factor of 4 the x4 result is shrunk to the exact
 * size. Above, up to 8, it is resampled up: a second pass would work on 16 times the pixels (17 times the cost in
 * all) for at most another doubling.
 */
export const countPasses = (engine: EngineName): number => (isAiEngine(engine) ? 1 : 0);
