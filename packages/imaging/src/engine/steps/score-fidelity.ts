import type { Receipt } from '@uprez/contracts/schemas/receipt';
import type { Comparison } from './compare-result.ts';

/** Cost of a color difference: 1% at a CIEDE2000 of 1, which is just noticeable, and half at 10. */
const colorWeight = 0.01;

const rounded = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals;

/**
 * Score how well a result agrees with its source at the smaller of both sizes, 0-100: 100 x SSIM x 1 / (1 + 0.01 x dE^2), with
 * SSIM below 0 as 0. SSIM is the mean over 8 x 8 windows of luma (Wang et al. 2004), dE the mean CIEDE2000 over a coarse
 * grid (Sharma et al. 2005). A product of a structure term and a color term of this shape is the image difference of Lissner,
 * Preiss, Urban, Lichtenauer, and Zolliker, "Image-difference prediction: from grayscale to color", 2013. 100: the same image.
 * The score falls with each of both parts. It is of the pixels, before they are compressed.
 */
export function scoreFidelity({ similarity, meanDeltaE }: Comparison): NonNullable<Receipt['fidelity']> {
  const score = (100 * Math.max(0, similarity)) / (1 + colorWeight * meanDeltaE ** 2);
  return { score: rounded(score, 1), structure: rounded(similarity, 4), color: rounded(meanDeltaE, 4) };
}
