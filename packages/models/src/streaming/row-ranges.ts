/**
 * Scale and delay of a tensor, or of a read of one. `scale`: rows per row of the image. `delay`: in the tensor's own
 * rows.
 */
export type Lag = { scale: number; delay: number };
/** Rows `from` to `until` (exclusive). */
export type RowRange = { from: number; until: number };
/**
 * One strip of an image with `height` rows. `before`: number of rows given before the strip. `now`: number of rows
 * given including the strip. Both exceed `height` at the end.
 */
export type Strip = { height: number; before: number; now: number };

const clamp = (value: number, most: number) => Math.max(0, Math.min(most, value));

/** Returns the number of rows that exist after `given` rows of an image of `height` rows. */
export const rowCountAfter = ({ scale, delay }: Lag, given: number, height: number): number =>
  clamp(scale * given - delay, scale * height);

/**
 * Returns the rows that a tensor has in a strip: the new rows, but at least one row of the image, because convolutions
 * need input in every strip. A tensor that already has all its rows therefore repeats the last ones. Before its first
 * row, a tensor has `scale` meaningless rows, and the range is empty.
 */
export function rangeOf(lag: Lag, { height, before, now }: Strip): RowRange {
  const until = rowCountAfter(lag, now, height);
  return { from: clamp(Math.min(rowCountAfter(lag, before, height), until - lag.scale), until), until };
}

/** Returns the number of rows of a range, or of the meaningless rows that replace an empty range. */
export const countRows = ({ from, until }: RowRange, { scale }: Lag): number => (until === 0 ? scale : until - from);
