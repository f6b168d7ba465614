import { type EngineName, isAiEngine } from '@uprez/contracts/policy/engines';

/** Every network enlarges by this factor. */
export const networkFactor = 4;
/** What is left to the resampler after the passes is at most this. */
const maxStretch = 2;

/**
 * Network passes for an engine and a factor: none for `standard`, else the fewest that leave the resampler at most a
 * doubling. A further pass would work on 16 times the pixels, 17 times the cost in all.
 */
export function countPasses(engine: EngineName, factor: number): number {
  if (!isAiEngine(engine)) return 0;
  let passes = 1;
  while (networkFactor ** passes * maxStretch < factor) passes++;
  return passes;
}
