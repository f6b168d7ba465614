import type { History, StripLayout } from './lay-out-strip.ts';
import { countRows, type RowRange, rangeOf, type Strip } from './row-ranges.ts';

/**
 * Rows of a history in a strip. `from`: index of the first row, or -1 if the edge above the image is kept. `before`:
 * number of rows from earlier strips. `behind`: number of rows needed after the newest row.
 */
export type HistoryRows = { from: number; before: number; behind: number; kept: RowRange };

export type StripRows = { histories: HistoryRows[]; cuts: number[] };

/** End index that includes all rows. By default, a cut takes all rows. */
const allRows = 2 ** 31 - 1;

type MeasuredLayout = Pick<StripLayout, 'histories' | 'cutCount'>;

/**
 * Computes the rows of each history in a strip, or its columns in a band. `next`: the next strip, or the band to the
 * right.
 */
export function measureStrip({ histories, cutCount }: MeasuredLayout, strip: Strip, next: Strip): StripRows {
  const cuts = Array.from({ length: cutCount }, (_, i) => (i % 2 ? allRows : 0));
  const rows = histories.map((history): HistoryRows => {
    const own = { scale: history.tensor.scale, delay: history.delay };
    const range = rangeOf(own, strip);
    const needs = neededRangesOf(history, strip);
    const from = Math.min(...needs.map((need) => need.from));
    const until = range.from + countRows(range, own);
    history.reads.forEach(({ cut }, i) => {
      const { from: start, until: end } = needs[i] as RowRange;
      if (cut !== undefined) [cuts[cut], cuts[cut + 1]] = [start - from, end - from];
    });
    const nextFrom = Math.min(...neededRangesOf(history, next).map((need) => need.from));
    const kept = { from: nextFrom, until: rangeOf(own, next).from };
    [cuts[history.keptCut], cuts[history.keptCut + 1]] = [kept.from - from, kept.until - from];
    const behind = Math.max(0, Math.max(...needs.map((need) => need.until)) - until);
    return { from, before: range.from - from, behind, kept };
  });
  return { histories: rows, cuts };
}

/** Returns the rows that each read of a history needs for a strip. A window read also needs 1 row above and 1 below. */
function neededRangesOf({ tensor: { scale }, reads }: History, strip: Strip): RowRange[] {
  return reads.map(({ delay, isWindow }) => {
    const lag = { scale, delay };
    const range = rangeOf(lag, strip);
    const until = range.from + countRows(range, lag);
    return isWindow ? { from: range.from - 1, until: until + 1 } : { from: range.from, until };
  });
}
