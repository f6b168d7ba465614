import { type Depth, makeSamples, type RowStream, type Samples, whiteOf } from '../rows/row-stream.ts';
import { mirror } from './tiles.ts';

/** A block of interleaved samples with `stride` samples per row. */
export type Block = { data: Samples; stride: number; depth: Depth };

/** Weight of the newer of two tiles at pixel `i` of an overlap of `length` pixels (smoothstep). */
function ramp(i: number, length: number): number {
  const t = (i + 0.5) / length;
  return t * t * (3 - 2 * t);
}

/** Blend the first `rows` rows of `newer` in place with `older`, the same rows from the tiles above. */
export function fadeRows(older: Samples, newer: Block, rows: number): void {
  for (let y = 0; y < rows; y++) {
    const weight = ramp(y, rows);
    for (let i = y * newer.stride; i < (y + 1) * newer.stride; i++) {
      const before = older[i] as number;
      newer.data[i] = Math.round(before + ((newer.data[i] as number) - before) * weight);
    }
  }
}

export type Paint = {
  /** Output of a network: three planes of `side` x `side` floats 0-1. */
  tile: Float32Array;
  side: number;
  /** Position of the used part in the tile, and target column in the block. */
  from: { x: number; y: number };
  to: number;
  size: { width: number; height: number };
  /** Leading columns to blend with the existing content of the block. */
  fade: number;
  channels: number;
};

/** Write part of a network's output to a block. Grey is the mean of the three planes. */
export function paintTile(block: Block, paint: Paint): void {
  const { tile, side, from, to, size, fade, channels } = paint;
  const plane = side * side;
  const white = whiteOf(block.depth);
  for (let y = 0; y < size.height; y++) {
    const source = (from.y + y) * side + from.x;
    const target = y * block.stride + to * channels;
    for (let x = 0; x < size.width; x++) {
      const weight = x < fade ? ramp(x, fade) : 1;
      for (let c = 0; c < channels; c++) {
        const at = target + x * channels + c;
        const value = channels === 1 ? meanAt(tile, source + x, plane) : (tile[source + x + c * plane] as number);
        const before = weight === 1 ? 0 : (block.data[at] as number) * (1 - weight);
        block.data[at] = Math.min(white, Math.max(0, before + value * white * weight)) + 0.5;
      }
    }
  }
}

const meanAt = (tile: Float32Array, at: number, plane: number) =>
  ((tile[at] as number) + (tile[at + plane] as number) + (tile[at + 2 * plane] as number)) / 3;

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
