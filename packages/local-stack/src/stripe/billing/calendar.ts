import type { Context } from '../context.ts';

interface Interval {
  interval: string;
  interval_count: number;
}

const DAY = 24 * 3600;

/**
 * Returns the time `count` intervals after an anchor, as a Unix time in seconds. Counts in UTC. If the resulting month
 * doesn't have the anchor's day, uses the month's last day: January 31 + 1 month = February 28.
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
 * Returns the calendar of a customer, which uses UTC and seconds. Advancing a customer's time moves the customer's
 * stored times back, into months of other lengths. The calendar therefore counts months in the customer's advanced
 * time.
 */
export function calendarOf({ store }: Pick<Context, 'store'>, customer: string) {
  const ahead = store.get('customerClocks', customer)?.aheadSeconds ?? 0;
  const add = (anchor: number, interval: Interval, count = 1) => addIntervals(anchor + ahead, interval, count) - ahead;
  return {
    add,
    /** The first time after `start` that is a whole number of intervals after an anchor. */
    next: (start: number, { anchor, interval }: { anchor: number; interval: Interval }): number => {
      let count = 1;
      while (add(anchor, interval, count) <= start) count += 1;
      return add(anchor, interval, count);
    },
  };
}
