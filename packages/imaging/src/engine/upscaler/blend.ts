import { type Depth, type Samples, whiteOf } from '../rows/row-stream.ts';

/** A block of interleaved samples: `stride` samples a row. */
export type Block = { data: Samples; stride: number; depth: Depth };

/** Weight of the newer of two tiles at pixel `i` of a zone `length` long: 0 before and 1 after it, level at both ends. */
function ramp(i: number, length: number): number {
  const t = (i + 0.5) / length;
  return t * t * (3 - 2 * t);
}

/** Mix the first `rows` rows of `newer` with `older` (the same rows as the tiles above drew them), in place. */
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
  /** Planar floats 0-1 of a network, three planes of `side` x `side`. */
  tile: Float32Array;
  side: number;
  /** The part of the tile that is drawn, and where its first pixel goes in the block. */
  from: { x: number; y: number };
  to: number;
  size: { width: number; height: number };
  /** Leading columns that are mixed with what the block holds already. */
  fade: number;
  channels: number;
};

/**
 * Draw part of a network's output into a strip, its leading columns mixed with the tile to the left. One channel takes
 * the mean of the three planes, so that grey stays grey.
 */
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
