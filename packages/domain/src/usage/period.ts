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

const monthsBetween = (from: Date, to: Date) =>
  12 * (to.getUTCFullYear() - from.getUTCFullYear()) + to.getUTCMonth() - from.getUTCMonth();

/** The same time of day so many months later, on the same day or the month's last one (UTC). */
function addMonths(from: Date, months: number): Date {
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const moved = new Date(from);
  moved.setUTCFullYear(year, month, Math.min(from.getUTCDate(), lastDay));
  return moved;
}
