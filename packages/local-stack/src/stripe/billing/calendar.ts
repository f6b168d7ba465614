import type { Context } from '../context.ts';

interface Interval {
  interval: string;
  interval_count: number;
}

const DAY = 24 * 3600;

/**
 * Returns the time that lies `count` intervals after an anchor. A month without the day of the anchor takes its last day:
 * January 31 + 1 month = February 28. UTC, in seconds.
 */
function addIntervals(anchor: number, { interval, interval_count }: Interval, count = 1): number {
  const steps = interval_count * count;
  if (interval === 'day') return anchor + steps * DAY;
  if (interval === 'week') return anchor + steps * 7 * DAY;
  return addMonths(anchor, interval === 'year' ? steps * 12 : steps);
}

function addMonths(anchor: number, months: number): number {
  const date = new Date(anchor * 1_000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime() / 1_000;
}

/**
 * Returns the calendar of a customer. When time passes for one customer, its times move back, and its months would have other
 * lengths. The calendar therefore counts them in the time that has passed for the customer. UTC, in seconds.
 */
export function calendarOf({ store }: Pick<Context, 'store'>, customer: string) {
  const ahead = store.get('customerClocks', customer)?.aheadSeconds ?? 0;
  const add = (anchor: number, interval: Interval, count = 1) => addIntervals(anchor + ahead, interval, count) - ahead;
  return {
    /** Returns the time that lies `count` intervals after an anchor. */
    add,
    /** Returns the first time after `start` that lies whole intervals after an anchor. */
    next: (start: number, { anchor, interval }: { anchor: number; interval: Interval }): number => {
      let count = 1;
      while (add(anchor, interval, count) <= start) count += 1;
      return add(anchor, interval, count);
    },
  };
}
