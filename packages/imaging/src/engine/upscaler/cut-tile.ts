import { type Depth, makeSamples, type RowStream, type Samples, whiteOf } from '../rows/row-stream.ts';
import { mirror } from './tiles.ts';

export type Cut = {
  image: { width: number; height: number; channels: number; depth: Depth };
  window: RowWindow;
  x: number;
  y: number;
  side: number;
};

/** Make a network's input: planar RGB floats 0-1 of the square at x, y, mirrored beyond the border. Grey is repeated. */
export function cutTile({ image, window, x, y, side }: Cut): Float32Array {
  const { width, height, channels } = image;
  const scale = 1 / whiteOf(image.depth);
  const tile = new Float32Array(3 * side * side);
  const columns = Int32Array.from({ length: side }, (_, i) => mirror(x + i, width) * channels);
  for (let row = 0; row < side; row++) {
    const start = (mirror(y + row, height) - window.start) * width * channels;
    for (let c = 0; c < 3; c++) {
      const at = start + (channels === 1 ? 0 : c);
      const target = (c * side + row) * side;
      for (let i = 0; i < side; i++) tile[target + i] = (window.rows[at + (columns[i] as number)] as number) * scale;
    }
  }
  return tile;
}

/** Consecutive rows of a stream in memory, from row `start` to row `end`. */
export type RowWindow = { start: number; end: number; rows: Samples };

/** Returns a function that moves a window down a stream. A window cannot move up. */
export function openRowWindow(source: RowStream): (start: number, end: number) => Promise<RowWindow> {
  const rowLength = source.width * source.channels;
  let window: RowWindow = { start: 0, end: 0, rows: makeSamples(source.depth, 0) };
  return async (start, end) => {
    const rows = makeSamples(source.depth, (end - start) * rowLength);
    rows.set(window.rows.subarray((start - window.start) * rowLength));
    if (end > window.end) rows.set(await source.read(end - window.end), (window.end - start) * rowLength);
    window = { start, end, rows };
    return window;
  };
}
