import { AppError } from '@uprez/contracts/errors/app-error';
import { deltaE, type Light } from '../../color/color-difference.ts';
import { differenceGrid } from '../../color/difference-grid.ts';
import { fromLinear } from '../../color/srgb.ts';
import type { RowFile, RowSize } from '../rows/row-file.ts';
import type { Samples } from '../rows/row-stream.ts';
import { type CellMeans, makeCellMeans } from './cell-means.ts';
import { makeStripLuma, sumSimilarity, windowSide } from './structure.ts';

/** Largest accepted mean difference (of 255) of one cell, and over all cells of a frame. */
const tolerance = { cell: 72, mean: 36 };

/** What the comparison reads of a file. */
type Rows = Omit<RowFile, 'stream' | 'close'>;

/** `frames`: number of frames of equal height, stacked vertically in both. */
type Comparing = { source: Rows; pixels: Rows; frames: number };
/** CIEDE2000 between the cells of the source and the result, and the mean SSIM of their luma at the smaller of both sizes. */
export type Comparison = { meanDeltaE: number; worstDeltaE: number; similarity: number };

/**
 * Compare the pixels of a result with its source, as means over a coarse grid per frame, to detect black, flat, shifted, torn,
 * or recolored results. Sizes and depths may differ. A cell matches when its mean agrees either as samples or as linear light:
 * a network that smooths a dither preserves light, a resampler preserves samples. Throws AppError `output_check_failed`.
 */
export async function compareResult({ source, pixels, frames }: Comparing): Promise<Comparison> {
  if (source.channels !== pixels.channels) throw failure({ channels: pixels.channels, expected: source.channels });
  let [sum, worstDeltaE, similarity] = [0, 0, 0];
  for (let frame = 0; frame < frames; frame++) {
    const frameOf = (file: Rows) => ({ ...file, height: file.height / frames, file, frame });
    const compared = await compareFrame(frameOf(source), frameOf(pixels));
    const [wanted, found] = compared.means;
    checkDifferences(wanted, found);
    const differences = colorDifferences(wanted, found);
    sum += differences.reduce((all, difference) => all + difference, 0) / differences.length;
    worstDeltaE = Math.max(worstDeltaE, ...differences);
    similarity += compared.similarity;
  }
  return { meanDeltaE: sum / frames, worstDeltaE, similarity: similarity / frames };
}

function checkDifferences(wanted: CellMeans, found: CellMeans): void {
  const differences = Array.from(wanted.samples, (sample, i) => {
    const light = Math.abs(fromLinear(wanted.light[i] ?? 0) - fromLinear(found.light[i] ?? Number.NaN));
    return 255 * Math.min(Math.abs(sample - (found.samples[i] ?? Number.NaN)), light);
  });
  const worst = differences.reduce((most, difference) => Math.max(most, difference), 0);
  const mean = differences.reduce((sum, difference) => sum + difference, 0) / differences.length;
  if (!(worst <= tolerance.cell && mean <= tolerance.mean)) throw failure({ worst, mean });
}

function colorDifferences(wanted: CellMeans, found: CellMeans): number[] {
  const { channels } = wanted;
  const colorAt = ({ light }: CellMeans, cell: number): Light => {
    const at = (c: number) => light[cell * channels + (channels < 3 ? 0 : c)] ?? 0;
    return [at(0), at(1), at(2)];
  };
  return Array.from({ length: wanted.light.length / channels }, (_, cell) =>
    deltaE(colorAt(wanted, cell), colorAt(found, cell)),
  );
}

const failure = (meta: Record<string, number>) => new AppError('output_check_failed', { meta });

/** Maximum strips of a frame that are compared, evenly distributed. */
const maxStrips = 64;

/** One frame of a file. `height`: of the frame. */
type Frame = RowSize & { file: Rows; frame: number };

/** Compare strips of a frame. Both sides are reduced to the smaller size. */
async function compareFrame(source: Frame, pixels: Frame) {
  const [width, height] = [Math.min(source.width, pixels.width), Math.min(source.height, pixels.height)];
  const grid = differenceGrid(source, pixels);
  const sides = [source, pixels].map((frame) => ({
    frame,
    means: makeCellMeans(frame, grid),
    strip: makeStripLuma(frame, { width, height }),
  })) as [Side, Side];
  let [sum, windows] = [0, 0];
  for (const strip of placeStrips(height)) {
    for (const side of sides) await readStrip(side, { ...strip, gridHeight: height });
    const added = sumSimilarity(sides[0].strip.luma, sides[1].strip.luma, { width, height: strip.rows });
    sum += added.sum;
    windows += added.windows;
  }
  return { means: [sides[0].means.finish(), sides[1].means.finish()] as const, similarity: sum / windows };
}

/** Strips of one window's height: adjacent ones, or `maxStrips` evenly distributed ones. The last one takes the rest. */
function placeStrips(height: number): { top: number; rows: number }[] {
  const fitting = Math.max(1, Math.floor(height / windowSide));
  const count = Math.min(fitting, maxStrips);
  return Array.from({ length: count }, (_, i) => {
    if (count < fitting) return { top: Math.floor(((i + 0.5) * height) / count - windowSide / 2), rows: windowSide };
    const top = i * windowSide;
    return { top, rows: i === count - 1 ? height - top : windowSide };
  });
}

type Side = { frame: Frame; means: ReturnType<typeof makeCellMeans>; strip: ReturnType<typeof makeStripLuma> };
type Strip = { top: number; rows: number; gridHeight: number };

/** Maximum bytes that are read at once. */
const chunkBytes = 4 * 1024 * 1024;

async function readStrip({ frame, means, strip }: Side, { top, rows, gridHeight }: Strip): Promise<void> {
  const { width, height, channels, depth, file } = frame;
  const scale = height / gridHeight;
  const [from, until] = [Math.floor(top * scale), Math.min(height, Math.ceil((top + rows) * scale))];
  const length = width * channels;
  const step = Math.max(1, Math.floor(chunkBytes / ((length * depth) / 8)));
  strip.start(top, rows);
  for (let y = from; y < until; y += step) {
    const count = Math.min(step, until - y);
    const chunk: Samples = await file.readRows(frame.frame * height + y, count);
    for (let i = 0; i < count; i++) {
      const row = chunk.subarray(i * length, (i + 1) * length);
      means.add(row, y + i);
      strip.add(row, y + i);
    }
  }
}
