/** A time in which a plan's units may be used: from the start on, before the end. */
export type Period = { startsAt: Date; endsAt: Date };

/**
 * The period of a moment: the calendar month (UTC) without an anchor, else the billing cycle. Cycles begin on the
 * anchor's day or the month's last one, as Stripe's do (January 31, February 28, March 31).
 */
export function periodOf(anchor: Date | undefined, at: Date): Period {
  if (!anchor) {
    const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
    return { startsAt: new Date(Date.UTC(year, month)), endsAt: new Date(Date.UTC(year, month + 1)) };
  }
  // The cycle that begins in the moment's own calendar month, or the one before it.
  let n = Math.max(0, monthsBetween(anchor, at));
  if (n > 0 && addMonths(anchor, n) > at) n -= 1;
  return { startsAt: addMonths(anchor, n), endsAt: addMonths(anchor, n + 1) };
}

/** A month of a time that is paid. `cycle`: its number, from 0. */
export type PaidCycle = Period & { cycle: number };

/**
 * The month of a moment within a time that is paid. The first one begins and the last one ends with that time, and the others
 * begin as billing cycles do. A paid year has 12 of them, also if its ends aren't exactly whole months after the anchor: the
 * lengths of months change if all times are moved.
 */
export function cycleOf(anchor: Date, paid: Period, at: Date): PaidCycle {
  const first = nearestMonth(anchor, paid.startsAt);
  // Counted from its own start: the anchor may be that of a later period, which was refunded.
  const count = Math.max(1, nearestMonth(paid.startsAt, paid.endsAt));
  const startOf = (cycle: number) => {
    if (cycle === 0) return paid.startsAt;
    return cycle === count ? paid.endsAt : addMonths(anchor, first + cycle);
  };
  let cycle = 0;
  while (cycle + 1 < count && startOf(cycle + 1) <= at) cycle += 1;
  return { cycle, startsAt: startOf(cycle), endsAt: startOf(cycle + 1) };
}

/** The number of whole months after the anchor that comes closest to a time. */
function nearestMonth(anchor: Date, time: Date): number {
  const near = monthsBetween(anchor, time);
  const distance = (months: number) => Math.abs(Number(addMonths(anchor, months)) - Number(time));
  return [near - 1, near, near + 1].reduce((best, one) => (distance(one) < distance(best) ? one : best));
}

const monthsBetween = (from: Date, to: Date) =>
  12 * (to.getUTCFullYear() - from.getUTCFullYear()) + to.getUTCMonth() - from.getUTCMonth();

/** The same time of day so many months later, on the same day or the month's last one (UTC). */
export function addMonths(from: Date, months: number): Date {
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const moved = new Date(from);
  moved.setUTCFullYear(year, month, Math.min(from.getUTCDate(), lastDay));
  return moved;
}
