import { type Encoding, srgb } from '../../color/encoding.ts';
import { encodingTables } from '../rows/linear-light.ts';
import type { RowSize } from '../rows/row-file.ts';
import { hasTransparency, type Samples, whiteOf } from '../rows/row-stream.ts';

type CellGrid = { columns: number; rows: number };
/** Means of samples and of linear light (0-1), by cell and channel, row by row. */
export type CellMeans = { channels: number; samples: Float64Array; light: Float64Array };

/**
 * Collects means over a coarse grid. Color is weighted by transparency, because the colors of invisible pixels may
 * differ. `encoding`: encoding of the samples.
 */
export function makeCellMeans(size: RowSize, grid: CellGrid, encoding: Encoding = srgb) {
  const { channels, width, depth } = size;
  const length = grid.columns * grid.rows * channels;
  const sums = { samples: new Float64Array(length), light: new Float64Array(length) };
  const counts = new Float64Array(grid.columns * grid.rows);
  const scale = 1 / whiteOf(depth);
  const tables = encodingTables(encoding, depth);
  const starts = Array.from({ length: grid.columns + 1 }, (_, column) => Math.round((column * width) / grid.columns));
  const addToCell = hasTransparency(size) ? addTransparentCell : addOpaqueCell;
  return {
    /** Adds row `y` of the image, or of one of its frames. */
    add: (row: Samples, y: number): void => {
      const cellRow = Math.floor(((y + 0.5) * grid.rows) / size.height) * grid.columns;
      for (let column = 0; column < grid.columns; column++) {
        const [from, until] = [starts[column] as number, starts[column + 1] as number];
        const cell = cellRow + column;
        counts[cell] = (counts[cell] as number) + until - from;
        addToCell(row, { from, until, channels, tables, sums, at: cell * channels, scale });
      }
    },
    finish: (): CellMeans => {
      const mean = (sum: number, i: number) => sum / (counts[Math.floor(i / channels)] as number);
      return { channels, samples: sums.samples.map((sum, i) => mean(sum * scale, i)), light: sums.light.map(mean) };
    },
  };
}

/** Pixels `from` up to `until` (exclusive) of a row, added to the sums starting at `at`. */
type CellRow = {
  from: number;
  until: number;
  channels: number;
  tables: readonly Float32Array[];
  sums: { samples: Float64Array; light: Float64Array };
  at: number;
  scale: number;
};

/** Keeps the sum of each channel in a local variable, which is several times as fast as an array. */
function addOpaqueCell(row: Samples, { from, until, channels, tables, sums, at }: CellRow): void {
  for (let c = 0; c < channels; c++) {
    const table = tables[Math.min(c, 2)] as Float32Array;
    let [samples, light] = [0, 0];
    for (let i = from * channels + c; i < until * channels; i += channels) {
      const sample = row[i] as number;
      samples += sample;
      light += table[sample] as number;
    }
    sums.samples[at + c] = (sums.samples[at + c] as number) + samples;
    sums.light[at + c] = (sums.light[at + c] as number) + light;
  }
}

function addTransparentCell(row: Samples, { from, until, channels, tables, sums, at, scale }: CellRow): void {
  const alphaAt = channels - 1;
  for (let c = 0; c < channels; c++) {
    const table = tables[Math.min(c, 2)] as Float32Array;
    let [samples, light] = [0, 0];
    for (let i = from * channels; i < until * channels; i += channels) {
      const sample = row[i + c] as number;
      const weight = c === alphaAt ? 1 : (row[i + alphaAt] as number) * scale;
      samples += sample * weight;
      light += (table[sample] as number) * weight;
    }
    sums.samples[at + c] = (sums.samples[at + c] as number) + samples;
    sums.light[at + c] = (sums.light[at + c] as number) + light;
  }
}
