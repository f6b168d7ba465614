import { type ErrorCode, errorCodes } from '@uprez/contracts/errors/error-codes';
import { countImages, type Meter } from '@uprez/contracts/policy/meters';
import { plans, type Tier } from '@uprez/contracts/policy/plans';
import type { Period } from './period.ts';

// Why a row of the ledger is there, in words that its owner understands.

const words = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
const longDay = words({ day: 'numeric', month: 'long', year: 'numeric' });
const longMonth = words({ month: 'long', year: 'numeric' });

/** The last day of something that ends at a moment: "30 November 2026" of what ends with that day. */
const lastDayOf = (end: Date) => longDay.format(new Date(Number(end) - 1));

const isMonth = ({ startsAt }: Period) => startsAt.getUTCDate() === 1 && Number(startsAt) % 86_400_000 === 0;
const formatPeriod = (period: Period) =>
  isMonth(period)
    ? longMonth.format(period.startsAt)
    : `${longDay.format(period.startsAt)} to ${lastDayOf(period.endsAt)}`;

export type PlanUnits = { tier: Tier; period: Period; units: number; meter: Meter };

/** "Free plan, November 2026: 10 AI images". */
export const planReason = ({ tier, period, units, meter }: PlanUnits) =>
  `${plans[tier].name} plan, ${formatPeriod(period)}: ${countImages(units, meter)}`;

/** What is left of a period that holds again. */
export const reopenReason = (plan: PlanUnits) => `${planReason(plan)} left`;

export type Ending = { tier: Tier | null; expiresAt: Date; units: number; meter: Meter; at: Date };

/** Why what was left ends: its time is over, or the plan was changed before. Below 0 it is what went beyond the plan. */
export function expiryReason({ tier, expiresAt, units, meter, at }: Ending): string {
  const count = countImages(Math.abs(units), meter);
  if (tier && at < expiresAt) return `${plans[tier].name} plan ended on ${longDay.format(at)}: ${count} not used`;
  return units < 0
    ? `Beyond the plan by ${lastDayOf(expiresAt)}: ${count}`
    : `Not used by ${lastDayOf(expiresAt)}: ${count}`;
}

/** A unit that came back to an allowance that had ended meanwhile. */
export const lateReleaseReason = (expiresAt: Date) => `Came back after ${lastDayOf(expiresAt)}, when it could be used`;

/** What an administrator grants. */
export const grantReason = (grant: { units: number; meter: Meter; expiresAt: Date; reason: string }) =>
  `Granted until ${lastDayOf(grant.expiresAt)}: ${countImages(grant.units, grant.meter)}. ${grant.reason}`;

/** Why a unit is given back: the first sentence of the error. */
export function releaseReason(code: ErrorCode): string {
  const [sentence = ''] = errorCodes[code].title.split(/\.(?: |$)/);
  return `Given back: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}
