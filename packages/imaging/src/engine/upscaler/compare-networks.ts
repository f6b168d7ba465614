import { drawImage } from '../../calibrate/draw-image.ts';
import type { Network } from './network.ts';

/** Small images that are difficult for INT8: saturated colors, hard edges, and noise. */
const makeTestImages = () => [drawImage('petals', 64, 1), drawImage('lines', 48, 2), drawImage('noise', 48, 3)];

/** PSNR of two images with samples 0-1, dB. Infinity when they are identical. */
export function psnrDb(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += ((one[i] as number) - (other[i] as number)) ** 2;
  return -10 * Math.log10(sum / one.length);
}

/** Lowest PSNR of the outputs of two networks over the built-in test images, dB. */
export async function compareNetworks(reference: Network, other: Network): Promise<number> {
  let worst = Number.POSITIVE_INFINITY;
  for (const { planes, side } of makeTestImages()) {
    const psnr = psnrDb(await reference.run(planes, side), await other.run(planes, side));
    worst = Number.isNaN(psnr) ? Number.NEGATIVE_INFINITY : Math.min(worst, psnr);
  }
  return worst;
}
