import { joinChunks, makeSamples, type RowStream, type Samples } from '../rows/row-stream.ts';
import { type CellMeter, cellEdges, openCellMeter } from './cell-meter.ts';
import { type Correction, correctRow, findCorrection } from './color-correction.ts';
import { correctBlocks } from './correct-blocks.ts';

/** Cell side, source pixels. */
const cellSide = 8;

/** The second round corrects cells that differ strongly from their neighbors, and clipped samples. */
const rounds = 2;

/**
 * Upscale a stream by an integer factor and match the mean linear light of the source in every part of the result, because
 * networks shift the brightness and hue of whole areas. Means are taken over the cells of one grid, so tile borders stay
 * invisible, and the correction is interpolated between cell centers, so detail is preserved. Remaining differences at hard edges
 * are corrected per sample. Holds a few rows of cells and the source rows that were read ahead. `upscale` must read the source
 * rows before it returns the result rows.
 */
export function matchColor(source: RowStream, upscale: (source: RowStream) => RowStream): RowStream {
  const meters = Array.from({ length: rounds }, () => openCellMeter(source, cellSide));
  const waiting: Samples[] = [];
  const tapped = {
    ...source,
    read: async (count: number) => {
      const rows = await source.read(count);
      for (const meter of meters) meter.add(rows);
      waiting.push(rows.slice());
      return rows;
    },
  };
  const again = joinChunks({ depth: source.depth, rowLength: source.width * source.channels }, async () => {
    const rows = waiting.shift();
    if (!rows) throw new Error('the source rows have not been read yet');
    return rows;
  });
  const corrected = meters.reduce((large, meter) => correct(large, source, meter), upscale(tapped));
  return correctBlocks(corrected, { ...source, read: again });
}

function correct(large: RowStream, source: RowStream, meter: CellMeter): RowStream {
  const factor = large.height / source.height;
  const next = joinCells(large, meter, (length) => {
    return cellEdges(length / factor, cellSide).map((edge) => edge * factor);
  });
  return { ...large, read: joinChunks({ depth: large.depth, rowLength: large.width * large.channels }, next) };
}

/** Returns a function that returns the next corrected rows of `large`, up to the centers of the next row of cells. */
function joinCells(large: RowStream, meter: CellMeter, edges: (length: number) => number[]): () => Promise<Samples> {
  const { channels, depth } = large;
  const cells = { across: edges(large.width), channels, depth };
  const down = edges(large.height);
  const rowLength = large.width * channels;
  const center = (row: number) => ((down[row] as number) + (down[row + 1] as number)) / 2;
  let row = 0;
  let above: Correction | undefined;
  let waiting = makeSamples(depth, 0);
  return async () => {
    const [top, bottom] = [down[row] as number, down[row + 1] as number];
    const fresh = await large.read(bottom - top);
    const below = findCorrection(fresh, meter.take(), cells);
    const rows = makeSamples(depth, waiting.length + fresh.length);
    rows.set(waiting);
    rows.set(fresh, waiting.length);
    const start = bottom - rows.length / rowLength;
    const until = row === down.length - 2 ? bottom : Math.floor(center(row));
    for (let y = start; y < until; y++) {
      const share = above ? Math.min(1, (y + 0.5 - center(row - 1)) / (center(row) - center(row - 1))) : 1;
      const line = rows.subarray((y - start) * rowLength, (y - start + 1) * rowLength);
      correctRow(line, { ...cells, above: above ?? below, below, share });
    }
    waiting = rows.subarray((until - start) * rowLength);
    above = below;
    row++;
    return rows.subarray(0, rows.length - waiting.length);
  };
}
