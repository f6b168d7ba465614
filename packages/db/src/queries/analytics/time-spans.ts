import { firstOfMonth } from '../../times.ts';

/** Days (UTC) from an inclusive to an exclusive bound. */
export type DaySpan = readonly [from: string, until: string];

/** Returns the first day of the next month, or the given day if it is the first of a month. */
function nextMonth(day: string): string {
  const first = firstOfMonth(day);
  if (first === day) return day;
  const [year = 0, month = 0] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
}

/**
 * Splits a span into the longest run of final whole months, and the days before and after it. `finalUntil`: the first
 * day that isn't final.
 */
export function splitMonths([from, until]: DaySpan, finalUntil: string): { months: DaySpan[]; days: DaySpan[] } {
  const first = nextMonth(from);
  const last = firstOfMonth(until < finalUntil ? until : finalUntil);
  if (first >= last) return { months: [], days: [[from, until]] };
  const days: DaySpan[] = [
    [from, first],
    [last, until],
  ];
  return { months: [[first, last]], days: days.filter(([start, end]) => start < end) };
}
