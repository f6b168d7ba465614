import { AppError } from '@uprez/contracts/errors/app-error';
import { deltaE, type Light } from '../rows/delta-e.ts';
import { fromLinear } from '../rows/linear-light.ts';
import { type CellMeans, measureCells } from '../rows/measure-cells.ts';
import type { RowFile } from '../rows/row-file.ts';

/** Minimum source pixels per cell side, and maximum cells per side. */
const cellPixels = 8;
const maxCells = 16;
/** Largest accepted mean difference (of 255) of one cell, and over all cells of a frame. */
const tolerance = { cell: 72, mean: 36 };

export type Comparing = {
  source: RowFile;
  pixels: RowFile;
  /** Number of frames of equal height, stacked vertically in both. */
  frames: number;
};
/** CIEDE2000 between the cells of the source and the result. */
export type ColorDifference = { meanDeltaE: number; worstDeltaE: number };

/**
 * Compare the pixels of a result with its source, as means over a coarse grid per frame, to detect black, flat, shifted, torn,
 * or recolored results. Sizes and depths may differ. A cell matches when its mean agrees either as samples or as linear light:
 * a network that smooths a dither preserves light, a resampler preserves samples. Throws AppError `output_check_failed`.
 */
export async function compareResult({ source, pixels, frames }: Comparing): Promise<ColorDifference> {
  if (source.channels !== pixels.channels) throw failure({ channels: pixels.channels, expected: source.channels });
  const [sourceHeight, pixelsHeight] = [source.height / frames, pixels.height / frames];
  const cells = (length: number) => Math.max(1, Math.min(maxCells, Math.floor(length / cellPixels)));
  const grid = { columns: cells(source.width), rows: cells(sourceHeight) };
  let [sum, worstDeltaE] = [0, 0];
  for (let frame = 0; frame < frames; frame++) {
    const wanted = await measureCells(source, {
      ...{ grid, sourceHeight, firstRow: frame * sourceHeight, height: sourceHeight },
    });
    const found = await measureCells(pixels, {
      ...{ grid, sourceHeight, firstRow: frame * pixelsHeight, height: pixelsHeight },
    });
    checkDifferences(wanted, found);
    const differences = colorDifferences(wanted, found);
    sum += differences.reduce((all, difference) => all + difference, 0) / differences.length;
    worstDeltaE = Math.max(worstDeltaE, ...differences);
  }
  return { meanDeltaE: sum / frames, worstDeltaE };
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
