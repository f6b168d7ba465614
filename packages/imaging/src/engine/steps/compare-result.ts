import { AppError } from '@uprez/contracts/errors/app-error';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { type Encoding, fromLinear } from '../../color/encoding.ts';
import type { CellMeans } from './cell-means.ts';
import { type ComparableRows, compareFrame } from './compare-frame.ts';

/** Maximum mean difference (0-255) that is accepted in a single cell, and on average over all cells of a frame. */
const tolerance = { cell: 72, mean: 36 };

/** `frames`: frame count. The frames have equal height and are stacked vertically in both files. */
type CompareInput = { source: ComparableRows; pixels: ComparableRows; frames: number };
/**
 * The mean and worst CIEDE2000 between the cells of the source and the result, and the mean SSIM of their luma. SSIM is
 * measured at the smaller of the two sizes.
 */
export type Comparison = { meanDeltaE: number; worstDeltaE: number; similarity: number };

/**
 * Compares the pixels of a result with its source to detect black, flat, shifted, torn, or recolored results. Compares
 * the means over a coarse grid for each frame. Sizes and depths may differ. A cell matches if its mean agrees either as
 * samples or as linear light: a resampler preserves the mean of the samples, and a network that smooths a dither
 * preserves the mean of the light. Throws AppError `output_check_failed`.
 */
export async function compareResult({ source, pixels, frames }: CompareInput): Promise<Comparison> {
  if (source.channels !== pixels.channels)
    throw makeCheckError({ channels: pixels.channels, expected: source.channels });
  let [sum, worstDeltaE, similarity] = [0, 0, 0];
  for (let frame = 0; frame < frames; frame++) {
    const frameOf = (file: ComparableRows) => ({ ...file, height: file.height / frames, file, frame });
    const { means, differences, ...compared } = await compareFrame(frameOf(source), frameOf(pixels));
    checkDifferences(...means);
    sum += differences.reduce((all, difference) => all + difference, 0) / differences.length;
    worstDeltaE = Math.max(worstDeltaE, ...differences);
    similarity += compared.similarity;
  }
  return { meanDeltaE: sum / frames, worstDeltaE, similarity: similarity / frames };
}

export type ColorDifference = Pick<Comparison, 'meanDeltaE' | 'worstDeltaE'>;

export async function compareColors({
  source,
  pixels,
  frames,
  encodings: [wanted, found],
}: CompareInput & { encodings: readonly [source: Encoding, pixels: Encoding] }): Promise<ColorDifference> {
  const differences: number[] = [];
  for (let frame = 0; frame < frames; frame++) {
    const frameOf = (file: ComparableRows, encoding: Encoding) => ({
      ...{ ...file, height: file.height / frames },
      ...{ file, frame, encoding },
    });
    const compared = await compareFrame(frameOf(source, wanted), frameOf(pixels, found), { usesLuma: false });
    differences.push(...compared.differences);
  }
  const meanDeltaE = differences.reduce((sum, one) => sum + one, 0) / differences.length;
  // Doesn't use `Math.max`, because an animation can have too many cells to pass as arguments.
  return { meanDeltaE, worstDeltaE: differences.reduce((most, one) => Math.max(most, one), 0) };
}

function checkDifferences(wanted: CellMeans, found: CellMeans): void {
  const differences = Array.from(wanted.samples, (sample, i) => {
    const light = Math.abs(fromLinear(wanted.light[i] ?? 0) - fromLinear(found.light[i] ?? Number.NaN));
    return 255 * Math.min(Math.abs(sample - (found.samples[i] ?? Number.NaN)), light);
  });
  const worst = differences.reduce((most, difference) => Math.max(most, difference), 0);
  const mean = differences.reduce((sum, difference) => sum + difference, 0) / differences.length;
  if (!(worst <= tolerance.cell && mean <= tolerance.mean)) throw makeCheckError({ worst, mean });
}

const makeCheckError = (meta: Record<string, number>) => new AppError('output_check_failed', { meta });

/** A CIEDE2000 of 1, which is just noticeable, lowers the score by 1%, and a CIEDE2000 of 10 halves it. */
const colorWeight = 0.01;

const roundTo = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals;

/**
 * Scores how well a result agrees with its source at the smaller of the two sizes, 0-100. 100 means the same image. The
 * score is 100 x SSIM x 1 / (1 + 0.01 x dE^2), with negative SSIM replaced by 0. SSIM is the mean over 8 x 8 windows of
 * luma (Wang et al. 2004), and dE is the mean CIEDE2000 over a coarse grid (Sharma et al. 2005). The product of a
 * structure term and a color term follows the image difference of Lissner, Preiss, Urban, Lichtenauer, and Zolliker,
 * "Image-difference prediction: from grayscale to color", 2013. The score describes the pixels before compression.
 */
export function scoreFidelity({ similarity, meanDeltaE }: Comparison): NonNullable<Receipt['fidelity']> {
  const score = (100 * Math.max(0, similarity)) / (1 + colorWeight * meanDeltaE ** 2);
  return { score: roundTo(score, 1), structure: roundTo(similarity, 4), color: roundTo(meanDeltaE, 4) };
}
