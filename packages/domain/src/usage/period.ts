/** A time in which a plan's units may be used, with an exclusive end. */
export type Period = { startsAt: Date; endsAt: Date };

/**
 * Returns the period that contains a time: the calendar month (UTC) without an anchor, or the billing cycle. Cycles
 * start on the anchor's day or on the last day of the month, like Stripe's (January 31, February 28, March 31).
 */
export function periodOf(anchor: Date | undefined, at: Date): Period {
  if (!anchor) {
    const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
    return { startsAt: new Date(Date.UTC(year, month)), endsAt: new Date(Date.UTC(year, month + 1)) };
  }
  // The cycle that starts in the calendar month of `at`, or the previous cycle.
  let n = Math.max(0, monthsBetween(anchor, at));
  if (n > 0 && addMonths(anchor, n) > at) n -= 1;
  return { startsAt: addMonths(anchor, n), endsAt: addMonths(anchor, n + 1) };
}

/** A month within a paid time. `cycle`: its number, starting at 0. */
export type PaidCycle = Period & { cycle: number };

/**
 * Returns the month that contains `at` within a paid time. The first month starts and the last month ends with the paid
 * time, and the others start like billing cycles. A paid year always has 12 months, even if its start and end aren't
 * whole months after the anchor: month lengths change when all times are moved.
 */
export function cycleOf(anchor: Date, paid: Period, at: Date): PaidCycle {
  const first = nearestMonth(anchor, paid.startsAt);
  // Counted from the period's own start, because the anchor may belong to a later period that was refunded.
  const count = Math.max(1, nearestMonth(paid.startsAt, paid.endsAt));
  const startOf = (cycle: number) => {
    if (cycle === 0) return paid.startsAt;
    return cycle === count ? paid.endsAt : addMonths(anchor, first + cycle);
  };
  let cycle = 0;
  while (cycle + 1 < count && startOf(cycle + 1) <= at) cycle += 1;
  return { cycle, startsAt: startOf(cycle), endsAt: startOf(cycle + 1) };
}

/** Returns the number of whole months after the anchor that is closest to a time. */
function nearestMonth(anchor: Date, time: Date): number {
  const near = monthsBetween(anchor, time);
  const distance = (months: number) => Math.abs(Number(addMonths(anchor, months)) - Number(time));
  return [near - 1, near, near + 1].reduce((best, one) => (distance(one) < distance(best) ? one : best));
}

const monthsBetween = (from: Date, to: Date) =>
  12 * (to.getUTCFullYear() - from.getUTCFullYear()) + to.getUTCMonth() - from.getUTCMonth();

/** Adds months to a time, keeping the time of day and the day, or the last day of a shorter month (UTC). */
export function addMonths(from: Date, months: number): Date {
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const moved = new Date(from);
  moved.setUTCFullYear(year, month, Math.min(from.getUTCDate(), lastDay));
  return moved;
}
