import { type Depth, type Samples, whiteOf } from '../rows/row-stream.ts';

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
