/** The end is exclusive. */
export type Period = { startsAt: Date; endsAt: Date };

/**
 * Returns the period that contains a time. Without an anchor, the period is the calendar month (UTC). With an anchor,
 * it is the billing cycle. Like Stripe's cycles, it starts on the anchor's day of the month, or on the last day of a
 * shorter month (January 31, February 28, March 31).
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

/** A month within a time span that was paid for. `cycle`: index of the month, starting at 0. */
export type PaidCycle = Period & { cycle: number };

/**
 * Returns the month that contains `at` within a time span that was paid for. The first month starts with the time span,
 * and the last month ends with it. The other months start like billing cycles. A paid year always has 12 months, even
 * if its start and end aren't whole months after the anchor. This can happen when all times are moved, because months
 * differ in length.
 */
export function cycleOf(anchor: Date, paid: Period, at: Date): PaidCycle {
  const first = nearestMonth(anchor, paid.startsAt);
  // Counted from the period's own start, because the anchor may belong to a later period that was refunded.
  const cycleCount = Math.max(1, nearestMonth(paid.startsAt, paid.endsAt));
  const startOf = (cycle: number) => {
    if (cycle === 0) return paid.startsAt;
    return cycle === cycleCount ? paid.endsAt : addMonths(anchor, first + cycle);
  };
  let cycle = 0;
  while (cycle + 1 < cycleCount && startOf(cycle + 1) <= at) cycle += 1;
  return { cycle, startsAt: startOf(cycle), endsAt: startOf(cycle + 1) };
}

/** Returns the number of whole months that must be added to the anchor to come closest to a time. */
function nearestMonth(anchor: Date, time: Date): number {
  const near = monthsBetween(anchor, time);
  const distance = (months: number) => Math.abs(Number(addMonths(anchor, months)) - Number(time));
  return [near - 1, near, near + 1].reduce((best, one) => (distance(one) < distance(best) ? one : best));
}

const monthsBetween = (from: Date, to: Date) =>
  12 * (to.getUTCFullYear() - from.getUTCFullYear()) + to.getUTCMonth() - from.getUTCMonth();

/**
 * Adds months to a time (UTC). Keeps the time of day and the day of the month, or uses the last day of a shorter month.
 */
export function addMonths(from: Date, months: number): Date {
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const moved = new Date(from);
  moved.setUTCFullYear(year, month, Math.min(from.getUTCDate(), lastDay));
  return moved;
}
