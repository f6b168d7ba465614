import type { RowFile, RowSize } from '../rows/row-file.ts';
import { type Samples, whiteOf } from '../rows/row-stream.ts';

/** Rows of a decoded image, such as those of a `RowFile`. Alpha is the last of 2 or 4 channels. */
export type DetailRows = Pick<RowFile, 'width' | 'height' | 'channels' | 'depth' | 'readRows'>;

/** A weighted sum of three channels, 0-255 or -127 to 127. */
export type Plane = {
  offsets: readonly [number, number, number];
  weights: readonly [number, number, number];
  channels: number;
  /** Offset of the alpha channel, and the value of invisible pixels. */
  alpha?: { offset: number; scale: number; invisible: number };
};

/**
 * Returns the planes in which detail is measured: luma, then the differences of red and blue from green, because edges
 * between colors of equal luma show only there, then alpha.
 */
export function makePlanes({ channels, depth }: Pick<RowSize, 'channels' | 'depth'>): Plane[] {
  const scale = 255 / whiteOf(depth);
  const hasAlpha = channels % 2 === 0;
  const blend = (invisible: number) =>
    hasAlpha ? { alpha: { offset: channels - 1, scale: 1 / whiteOf(depth), invisible } } : {};
  const single = (offset: number) => ({ offsets: [offset, offset, offset], weights: [scale, 0, 0], channels }) as const;
  const sum = (red: number, green: number, blue: number) =>
    ({ offsets: [0, 1, 2], weights: [red * scale, green * scale, blue * scale], channels }) as const;
  const color: Plane[] =
    channels < 3
      ? [{ ...single(0), ...blend(255 / 2) }]
      : [
          { ...sum(0.2126, 0.7152, 0.0722), ...blend(255 / 2) },
          { ...sum(0.5, -0.5, 0), ...blend(0) },
          { ...sum(0, -0.5, 0.5), ...blend(0) },
        ];
  return hasAlpha ? [...color, single(channels - 1)] : color;
}

/** `from`: first sample. `at`: first index of the target. */
type Run = { from: number; count: number; target: Float32Array; at: number };

export function readPlane(rows: Samples, plane: Plane, { from, count, target, at }: Run): void {
  const { offsets, weights, channels, alpha } = plane;
  const [a, b, c] = [from + offsets[0], from + offsets[1], from + offsets[2]];
  const [wa, wb, wc] = weights;
  const end = count * channels;
  if (wb === 0 && wc === 0)
    for (let i = 0, to = at; i < end; i += channels, to++) target[to] = wa * (rows[a + i] as number);
  else
    for (let i = 0, to = at; i < end; i += channels, to++)
      target[to] = wa * (rows[a + i] as number) + wb * (rows[b + i] as number) + wc * (rows[c + i] as number);
  if (!alpha) return;
  for (let i = from + alpha.offset, to = at; to < at + count; i += channels, to++) {
    const opacity = (rows[i] as number) * alpha.scale;
    target[to] = (target[to] as number) * opacity + alpha.invisible * (1 - opacity);
  }
}
