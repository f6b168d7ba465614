import type { RowStream } from '../rows/row-stream.ts';

/** Some consecutive rows of a stream, kept in memory: `rows` begins with row `start`. */
export type RowWindow = { start: number; end: number; rows: Uint8Array };

/** Answers a function that moves a window down a stream; each call may only move down. */
export function openRowWindow(source: RowStream): (start: number, end: number) => Promise<RowWindow> {
  const rowBytes = source.width * source.channels;
  let window: RowWindow = { start: 0, end: 0, rows: new Uint8Array(0) };
  return async (start, end) => {
    const rows = new Uint8Array((end - start) * rowBytes);
    rows.set(window.rows.subarray((start - window.start) * rowBytes));
    if (end > window.end) rows.set(await source.read(end - window.end), (window.end - start) * rowBytes);
    window = { start, end, rows };
    return window;
  };
}
