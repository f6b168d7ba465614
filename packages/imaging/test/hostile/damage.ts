import { makeRandom } from '@uprez/testing/random';

/** Returns a file truncated at every tenth of its length, or at `steps` positions. */
export const truncations = (file: Buffer, steps = 10): Buffer[] =>
  Array.from({ length: steps }, (_, i) => file.subarray(0, Math.floor((file.length * (i + 1)) / (steps + 1))));

/** Returns copies of a file with one to eight changed bytes, or removed or repeated parts. */
export function corruptions(file: Buffer, { seed, count }: { seed: number; count: number }): Buffer[] {
  const random = makeRandom(seed);
  return Array.from({ length: count }, (_, i) => {
    if (i % 4 === 3) {
      const [from, length] = [random(file.length), random(64)];
      const piece = i % 8 === 3 ? Buffer.alloc(0) : file.subarray(from, from + length);
      return Buffer.concat([file.subarray(0, from), piece, piece, file.subarray(from + length)]);
    }
    const copy = Buffer.from(file);
    for (let flips = 1 + random(8); flips > 0; flips--) copy[random(copy.length)] = random(256);
    return copy;
  });
}
