/** Numbers in 0..1 that are the same for the same seed on every machine (a linear congruential generator). */
export function openRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}
