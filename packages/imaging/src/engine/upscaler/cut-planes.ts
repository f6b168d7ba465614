import { makeSamples, type RowStream, type Samples, whiteOf } from '../rows/row-stream.ts';

/** Consecutive rows of a stream in memory, from row `start` to row `end` (exclusive). */
export type RowWindow = { start: number; end: number; rows: Samples };

/** Returns a function that moves a window down a stream. A window can't move up. */
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

/** Mirrors a position outside 0..length-1 into the image, without repeating the edge pixel. */
export function mirrorIndex(i: number, length: number): number {
  if (length === 1) return 0;
  const period = 2 * (length - 1);
  const inside = ((i % period) + period) % period;
  return inside < length ? inside : period - inside;
}

/** A region that may lie partly outside the image. */
export type Region = { left: number; top: number; width: number; height: number };

/**
 * Creates a network's input for a region: planar RGB floats 0-1. Mirrors the image beyond its border. Repeats gray in
 * all planes.
 */
export function cutPlanes(source: RowStream, window: RowWindow, { left, top, ...size }: Region): Float32Array {
  const { width, height, channels } = source;
  const scale = 1 / whiteOf(source.depth);
  const planes = new Float32Array(3 * size.width * size.height);
  const columns = Int32Array.from({ length: size.width }, (_, i) => mirrorIndex(left + i, width) * channels);
  for (let row = 0; row < size.height; row++) {
    const start = (mirrorIndex(top + row, height) - window.start) * width * channels;
    for (let c = 0; c < 3; c++) {
      const at = start + (channels === 1 ? 0 : c);
      const target = (c * size.height + row) * size.width;
      for (let i = 0; i < size.width; i++)
        planes[target + i] = (window.rows[at + (columns[i] as number)] as number) * scale;
    }
  }
  return planes;
}
