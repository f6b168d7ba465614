import { makeSamples, type RowStream, type Samples } from '../rows/row-stream.ts';

/** Some consecutive rows of a stream, kept in memory: `rows` begins with row `start`. */
export type RowWindow = { start: number; end: number; rows: Samples };

/** Answers a function that moves a window down a stream; each call may only move down. */
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
