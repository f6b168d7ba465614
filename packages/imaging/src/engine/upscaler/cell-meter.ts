import { linearTable } from '../rows/linear-light.ts';
import { type RowStream, type Samples, whiteOf } from '../rows/row-stream.ts';

/** Edges of the cells along one side: cell i spans pixels `edges[i]` to `edges[i + 1]`. The last cell takes the remainder. */
export function cellEdges(length: number, side: number): number[] {
  const count = Math.max(1, Math.round(length / side));
  return Array.from({ length: count + 1 }, (_, i) => (i === count ? length : i * side));
}

/** Share of white pixels in a cell from which its white is fully protected. */
const whiteShare = 0.5;

/** One row of cells, by cell and channel: mean linear light 0-1, and protection of white 0-1. */
export type SourceCells = { light: Float32Array; white: Float32Array };

export type CellMeter = {
  /** Add the next rows of the image. */
  add: (rows: Samples) => void;
  /** Take the next finished row of cells. Throws Error when there is none. */
  take: () => SourceCells;
};

/** Measure the cells of an image while its rows are read. */
export function openCellMeter({ width, height, channels, depth }: RowStream, side: number): CellMeter {
  const [across, down] = [cellEdges(width, side), cellEdges(height, side)];
  const table = linearTable(depth);
  const white = whiteOf(depth);
  const size = (across.length - 1) * channels;
  const finished: SourceCells[] = [];
  let light = new Float32Array(size);
  let whites = new Float32Array(size);
  let y = 0;

  function addRow(rows: Samples, start: number): void {
    for (let cell = 0; cell < across.length - 1; cell++)
      for (let c = 0; c < channels; c++) {
        const until = start + (across[cell + 1] as number) * channels;
        let [sum, count] = [0, 0];
        for (let i = start + (across[cell] as number) * channels + c; i < until; i += channels) {
          const sample = rows[i] as number;
          sum += table[sample] as number;
          if (sample === white) count++;
        }
        const at = cell * channels + c;
        light[at] = (light[at] as number) + sum;
        whites[at] = (whites[at] as number) + count;
      }
  }

  function finish(row: number): void {
    const rows = (down[row + 1] as number) - (down[row] as number);
    for (let at = 0; at < size; at++) {
      const cell = Math.floor(at / channels);
      const pixels = rows * ((across[cell + 1] as number) - (across[cell] as number));
      light[at] = (light[at] as number) / pixels;
      whites[at] = Math.min(1, (whites[at] as number) / (whiteShare * pixels));
    }
    finished.push({ light, white: whites });
    light = new Float32Array(size);
    whites = new Float32Array(size);
  }

  let row = 0;
  const add = (rows: Samples) => {
    for (let start = 0; start < rows.length; start += width * channels) {
      addRow(rows, start);
      if (++y === down[row + 1]) finish(row++);
    }
  };
  const take = () => {
    const cells = finished.shift();
    if (!cells) throw new Error('the source rows have not been read yet');
    return cells;
  };
  return { add, take };
}
