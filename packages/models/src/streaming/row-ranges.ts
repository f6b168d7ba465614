/** `scale`: rows per row of the image. `delay`: in the tensor's own rows. */
export type Lag = { scale: number; delay: number };
/** From `from` up to, but not including, `until`. */
export type RowRange = { from: number; until: number };
/**
 * One strip of an image with `height` rows. `before`: number of image rows that earlier strips contained. `now`: the
 * same number, including this strip. At the end of the image, both exceed `height`, until the delayed rows are
 * complete.
 */
export type Strip = { height: number; before: number; now: number };

const clamp = (value: number, most: number) => Math.max(0, Math.min(most, value));

/**
 * Returns the number of rows that a tensor has after `given` rows of the image. `height`: height of the image, in rows.
 */
export const rowCountAfter = ({ scale, delay }: Lag, given: number, height: number): number =>
  clamp(scale * given - delay, scale * height);

/**
 * Returns the rows that a tensor has in a strip: the new rows, but at least one row of the image, because convolutions
 * need input in every strip. Therefore, a tensor that already has all its rows repeats the last ones. Before its first
 * row, a tensor has `scale` meaningless rows, and the range is empty.
 */
export function rangeOf(lag: Lag, { height, before, now }: Strip): RowRange {
  const until = rowCountAfter(lag, now, height);
  return { from: clamp(Math.min(rowCountAfter(lag, before, height), until - lag.scale), until), until };
}

/** Returns the number of rows of a range, or of the meaningless rows that replace an empty range. */
export const countRows = ({ from, until }: RowRange, { scale }: Lag): number => (until === 0 ? scale : until - from);
