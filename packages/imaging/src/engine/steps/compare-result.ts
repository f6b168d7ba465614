import { open } from 'node:fs/promises';
import { AppError } from '@uprez/contracts/app-error';
import { type RowFile, rowFile } from '../rows/row-file.ts';
import { tiffPixelOffset } from '../rows/write-tiff.ts';

/** Cells of at least this many source pixels a side, at most this many cells a side. */
const cellPixels = 8;
const maxCells = 16;
/** Source rows looked at in a tall picture. */
const maxRows = 512;
/** Mean differences (of 255) above which a result is wrong: in one cell, and over all cells. */
const tolerance = { cell: 72, mean: 36 };

type Grid = { columns: number; rows: number };
type Sizes = { grid: Grid; source: RowFile };

/**
 * Compare the pixels written to `path` with the source, as means over a coarse grid: a black, flat, shifted or torn
 * picture is never delivered as a success. Throws AppError `processing_crashed`.
 */
export async function compareResult(source: RowFile, path: string, output: { width: number; height: number }) {
  const cells = (length: number) => Math.max(1, Math.min(maxCells, Math.floor(length / cellPixels)));
  const sizes = { source, grid: { columns: cells(source.width), rows: cells(source.height) } };
  const { width, height } = output;
  const pixels = rowFile(await open(path, 'r'), { width, height, channels: source.channels, offset: tiffPixelOffset });
  try {
    const [wanted, found] = [await cellMeans(source, sizes), await cellMeans(pixels, sizes)];
    const differences = wanted.map((value, i) => Math.abs(value - (found[i] ?? Number.NaN)));
    const worst = differences.reduce((most, difference) => Math.max(most, difference), 0);
    const mean = differences.reduce((sum, difference) => sum + difference, 0) / differences.length;
    if (worst <= tolerance.cell && mean <= tolerance.mean) return;
    throw new AppError('processing_crashed', {
      detail: 'The enlarged picture did not match the original, so it was not delivered. Nothing was charged.',
      meta: { worst, mean },
    });
  } finally {
    await pixels.close();
  }
}

/** Mean of every cell and channel; colour is weighted by alpha, since what is invisible may differ. */
async function cellMeans(file: RowFile, { grid, source }: Sizes): Promise<number[]> {
  const sums = new Float64Array(grid.columns * grid.rows * file.channels);
  const counts = new Float64Array(grid.columns * grid.rows);
  const columnOf = Int32Array.from({ length: file.width }, (_, x) => {
    const sourceX = Math.floor(((x + 0.5) * source.width) / file.width);
    return Math.floor((sourceX * grid.columns) / source.width);
  });
  const step = Math.max(1, Math.floor(source.height / maxRows));
  for (let sourceY = 0; sourceY < source.height; sourceY += step) {
    const first = Math.floor((sourceY * file.height) / source.height);
    const last = Math.max(first + 1, Math.floor(((sourceY + 1) * file.height) / source.height));
    const cellRow = Math.floor((sourceY * grid.rows) / source.height) * grid.columns;
    addRows(await file.readRows(first, last - first), { file, columnOf, cellRow, sums, counts });
  }
  return Array.from(sums, (sum, i) => sum / (counts[Math.floor(i / file.channels)] as number));
}

type Sums = { file: RowFile; columnOf: Int32Array; cellRow: number; sums: Float64Array; counts: Float64Array };

function addRows(rows: Uint8Array, { file, columnOf, cellRow, sums, counts }: Sums): void {
  const { channels, width } = file;
  const alphaAt = channels % 2 === 0 ? channels - 1 : -1;
  for (let i = 0, x = 0; i < rows.length; i += channels, x = x + 1 === width ? 0 : x + 1) {
    const cell = cellRow + (columnOf[x] as number);
    const opacity = alphaAt < 0 ? 1 : (rows[i + alphaAt] as number) / 255;
    counts[cell] = (counts[cell] as number) + 1;
    for (let c = 0; c < channels; c++) {
      const at = cell * channels + c;
      sums[at] = (sums[at] as number) + (rows[i + c] as number) * (c === alphaAt ? 1 : opacity);
    }
  }
}
