import { linearTable } from './linear-light.ts';
import type { RowFile } from './row-file.ts';
import { type Samples, whiteOf } from './row-stream.ts';

/** Maximum source rows that are sampled. */
const maxRows = 512;

export type Grid = { columns: number; rows: number };
/** Part of a file. `sourceHeight`: height of the same part of the source, so that both are sampled at the same positions. */
export type CellArea = { grid: Grid; firstRow: number; height: number; sourceHeight: number };
/** Means 0-1 by cell and channel, row by row: of samples, and of linear light. */
export type CellMeans = { channels: number; samples: Float64Array; light: Float64Array };

/** Compute means over a coarse grid. Color is weighted by alpha, because invisible pixels may differ. */
export async function measureCells(file: RowFile, area: CellArea): Promise<CellMeans> {
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
