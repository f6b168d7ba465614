import { drawImage } from '../../calibrate/draw-image.ts';
import type { Network } from './network.ts';

/** Small images of what 8-bit arithmetic finds hard: saturated colours, hard edges, noise. */
const checks = () => [drawImage('petals', 64, 1), drawImage('lines', 48, 2), drawImage('noise', 48, 3)];

/** Likeness of two equally long images of 0-1 in dB (PSNR); Infinity when they are the same. */
export function likenessDb(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += ((one[i] as number) - (other[i] as number)) ** 2;
  return -10 * Math.log10(sum / one.length);
}

/** The least likeness, in dB, of what two networks make of the built-in images on this processor. */
export async function compareNetworks(plain: Network, other: Network): Promise<number> {
  let worst = Number.POSITIVE_INFINITY;
  for (const { planes, side } of checks()) {
    const likeness = likenessDb(await plain.run(planes, side), await other.run(planes, side));
    // Not a number is no likeness.
    worst = Number.isNaN(likeness) ? Number.NEGATIVE_INFINITY : Math.min(worst, likeness);
  }
  return worst;
}
