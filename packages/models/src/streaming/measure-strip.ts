import type { History, StripLayout } from './lay-out-strip.ts';
import { countRows, type Range, rangeOf, type Strip } from './row-ranges.ts';

/** Rows of a history in a strip. `from`: its first row, which is -1 where the edge above the image is kept. */
export type HistoryRows = { from: number; before: number; behind: number; kept: Range };

/** Rows of all histories in a strip, and the values of its cuts. */
export type StripRows = { histories: HistoryRows[]; cuts: number[] };

/** An end that is behind all rows. Cuts take all rows where nothing else is known. */
const allRows = 2 ** 31 - 1;

type Measured = Pick<StripLayout, 'histories' | 'cutCount'>;

/**
 * Compute the rows that each history has in a strip, or the columns in a band. `next`: the strip after it, or the band to the
 * right.
 */
export function measureStrip({ histories, cutCount }: Measured, strip: Strip, next: Strip): StripRows {
  const cuts = Array.from({ length: cutCount }, (_, i) => (i % 2 ? allRows : 0));
  const rows = histories.map((history): HistoryRows => {
    const own = { scale: history.tensor.scale, delay: history.delay };
    const range = rangeOf(own, strip);
    const needs = needsOf(history, strip);
    const from = Math.min(...needs.map((need) => need.from));
    const until = range.from + countRows(range, own);
    history.reads.forEach(({ cut }, i) => {
      const { from: start, until: end } = needs[i] as Range;
      if (cut !== undefined) [cuts[cut], cuts[cut + 1]] = [start - from, end - from];
    });
    const nextFrom = Math.min(...needsOf(history, next).map((need) => need.from));
    const kept = { from: nextFrom, until: rangeOf(own, next).from };
    [cuts[history.keptCut], cuts[history.keptCut + 1]] = [kept.from - from, kept.until - from];
    const behind = Math.max(0, Math.max(...needs.map((need) => need.until)) - until);
    return { from, before: range.from - from, behind, kept };
  });
  return { histories: rows, cuts };
}

/** The rows that each read takes, with those above and below of a window. */
function needsOf({ tensor: { scale }, reads }: History, strip: Strip): Range[] {
  return reads.map(({ delay, isWindow }) => {
    const lag = { scale, delay };
    const range = rangeOf(lag, strip);
    const until = range.from + countRows(range, lag);
    return isWindow ? { from: range.from - 1, until: until + 1 } : { from: range.from, until };
  });
}
