import { hostEnv } from './config.ts';

/** Seed for random tests. `npm test` picks a seed and prints it. Set `TEST_SEED` to repeat a run. */
export const testSeed = Number(hostEnv.TEST_SEED ?? 1);

/** Returns a generator of integers below `limit` that repeats for the same seed (mulberry32). */
export function makeRandom(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}
