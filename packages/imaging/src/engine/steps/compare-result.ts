import { AppError } from '@uprez/contracts/errors/app-error';
import { deltaE, fromLinear, type Light, linearTable } from '../rows/linear-light.ts';
import type { RowFile } from '../rows/row-file.ts';
import { type Samples, whiteOf } from '../rows/row-stream.ts';

/** Minimum source pixels per cell side, and maximum cells per side. */
const cellPixels = 8;
const maxCells = 16;
/** Largest accepted mean difference (of 255) of one cell, and over all cells of a frame. */
const tolerance = { cell: 72, mean: 36 };

/** `frames`: number of frames of equal height, stacked vertically in both. */
type Comparing = { source: RowFile; pixels: RowFile; frames: number };
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
    const cellsOf = (file: RowFile, height: number) =>
      measureCells(file, { grid, sourceHeight, firstRow: frame * height, height });
    const [wanted, found] = [await cellsOf(source, sourceHeight), await cellsOf(pixels, pixelsHeight)];
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

/** Maximum source rows that are sampled. */
const maxRows = 512;

/** Part of a file. `sourceHeight`: height of the same part of the source, so that both are sampled at the same positions. */
type CellArea = { grid: { columns: number; rows: number }; firstRow: number; height: number; sourceHeight: number };
/** Means 0-1 by cell and channel, row by row: of samples, and of linear light. */
type CellMeans = { channels: number; samples: Float64Array; light: Float64Array };

/** Compute means over a coarse grid. Color is weighted by alpha, because invisible pixels may differ. */
async function measureCells(file: RowFile, area: CellArea): Promise<CellMeans> {
  const { grid, firstRow, height, sourceHeight } = area;
  const { channels, width } = file;
  const size = grid.columns * grid.rows * channels;
  const means = { channels, samples: new Float64Array(size), light: new Float64Array(size) };
  const counts = new Float64Array(grid.columns * grid.rows);
  const columnOf = Int32Array.from({ length: width }, (_, x) => Math.floor(((x + 0.5) * grid.columns) / width));
  const sampled = Math.min(sourceHeight, maxRows);
  for (let i = 0; i < sampled; i++) {
    const sourceRow = Math.floor(((i + 0.5) * sourceHeight) / sampled);
    const from = Math.floor((sourceRow * height) / sourceHeight);
    const until = Math.max(from + 1, Math.floor(((sourceRow + 1) * height) / sourceHeight));
    const rows = await file.readRows(firstRow + from, until - from);
    const cellRow = Math.floor((sourceRow * grid.rows) / sourceHeight) * grid.columns;
    addRows(rows, { file, columnOf, cellRow, means, counts });
  }
  for (let i = 0; i < size; i++) {
    const count = counts[Math.floor(i / channels)] as number;
    means.samples[i] = (means.samples[i] as number) / count;
    means.light[i] = (means.light[i] as number) / count;
  }
  return means;
}

type Sums = { file: RowFile; columnOf: Int32Array; cellRow: number; means: CellMeans; counts: Float64Array };

function addRows(rows: Samples, { file, columnOf, cellRow, means, counts }: Sums): void {
  const { channels, width, depth } = file;
  const scale = 1 / whiteOf(depth);
  const table = linearTable(depth);
  const alphaAt = channels % 2 === 0 ? channels - 1 : -1;
  for (let i = 0, x = 0; i < rows.length; i += channels, x = x + 1 === width ? 0 : x + 1) {
    const cell = cellRow + (columnOf[x] as number);
    const opacity = alphaAt < 0 ? 1 : (rows[i + alphaAt] as number) * scale;
    counts[cell] = (counts[cell] as number) + 1;
    for (let c = 0; c < channels; c++) {
      const at = cell * channels + c;
      const sample = rows[i + c] as number;
      const weight = c === alphaAt ? 1 : opacity;
      means.samples[at] = (means.samples[at] as number) + sample * scale * weight;
      means.light[at] = (means.light[at] as number) + (table[sample] as number) * weight;
    }
  }
}
