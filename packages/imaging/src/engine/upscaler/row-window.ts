import { makeSamples, type RowStream, type Samples } from '../rows/row-stream.ts';

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
