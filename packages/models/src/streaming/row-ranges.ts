/** A tensor or the read of one: rows for each row of the image, and the delay in its own rows. */
export type Lag = { scale: number; delay: number };
/** Rows `from` to `until` (exclusive). */
export type Range = { from: number; until: number };
/**
 * One strip of an image: it has `height` rows, of which `before` were given earlier and `now` are given with this strip. Both
 * exceed `height` at the end.
 */
export type Strip = { height: number; before: number; now: number };

const clamp = (value: number, most: number) => Math.max(0, Math.min(most, value));

/** Rows that exist after `given` rows of an image of `height` rows. */
export const rowsAfter = ({ scale, delay }: Lag, given: number, height: number): number =>
  clamp(scale * given - delay, scale * height);

/**
 * Rows that a tensor has in a strip: the new ones, and at least one row of the image, because convolutions need input in every
 * strip. So a tensor that has got all its rows repeats the last ones. Before its first row, it has rows that mean nothing,
 * `scale` of them, and the range is empty.
 */
export function rangeOf(lag: Lag, { height, before, now }: Strip): Range {
  const until = rowsAfter(lag, now, height);
  return { from: clamp(Math.min(rowsAfter(lag, before, height), until - lag.scale), until), until };
}

/** Number of rows of a range, or of the meaningless rows in place of an empty one. */
export const countRows = ({ from, until }: Range, { scale }: Lag): number => (until === 0 ? scale : until - from);
