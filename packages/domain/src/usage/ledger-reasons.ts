import { type ErrorCode, errorCodes } from '@uprez/contracts/errors/error-codes';
import type { FreeReason } from '@uprez/contracts/policy/free-jobs';
import { countImages, type Meter } from '@uprez/contracts/policy/plans/meters';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import { formatCount, formatMoney, pluralize } from '@uprez/contracts/texts/format';
import type { Period } from './period.ts';

// Reasons for ledger entries, as shown to the account's owner.

const makeDateFormat = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
const longDayFormat = makeDateFormat({ day: 'numeric', month: 'long', year: 'numeric' });
const longMonthFormat = makeDateFormat({ month: 'long', year: 'numeric' });

/** Such as `November 30, 2026` for an end at midnight on December 1. */
const lastDayOf = (end: Date) => longDayFormat.format(new Date(Number(end) - 1));

const isMonth = ({ startsAt }: Period) => startsAt.getUTCDate() === 1 && Number(startsAt) % 86_400_000 === 0;
const formatPeriod = (period: Period) =>
  isMonth(period)
    ? longMonthFormat.format(period.startsAt)
    : `${longDayFormat.format(period.startsAt)} to ${lastDayOf(period.endsAt)}`;

export type PlanUnits = { tier: Tier; period: Period; units: number; meter: Meter };

/** Returns, for example, "Free plan, November 2026: 10 AI images". */
export const formatPlanReason = ({ tier, period, units, meter }: PlanUnits) =>
  `${currentPlans[tier].name} plan, ${formatPeriod(period)}: ${countImages(units, meter)}`;

/** Reason for the part of a renewed period's quota that is granted before the renewal is paid. */
export const formatPartialReason = (plan: PlanUnits) => `${formatPlanReason(plan)} before the renewal is paid`;

/** Reason for granting the rest of a renewed period's quota. */
export const formatPaidReason = (plan: PlanUnits) => `${formatPlanReason(plan)} after the renewal was paid`;

/** Reason for granting the remaining quota of a period that applies again. */
export const formatReopenReason = (plan: PlanUnits) => `${formatPlanReason(plan)} left`;

export type ExpiredUnits = { tier: Tier | null; expiresAt: Date; units: number; meter: Meter; at: Date };

/**
 * Returns the reason why a quota ended: it expired, or the plan changed. If `units` is negative, that many units were
 * used beyond the quota.
 */
export function formatExpiryReason({ tier, expiresAt, units, meter, at }: ExpiredUnits): string {
  const count = countImages(Math.abs(units), meter);
  if (tier && at < expiresAt)
    return `${currentPlans[tier].name} plan ended on ${longDayFormat.format(at)}: ${count} unused`;
  return units < 0
    ? `Used beyond the quota until ${lastDayOf(expiresAt)}: ${count}`
    : `Expired on ${lastDayOf(expiresAt)}: ${count} unused`;
}

type Reversal = {
  kind: 'refund' | 'dispute';
  /** Refunded or disputed amount, in cents. `paid`: amount of the whole payment, in cents. */
  amount: number;
  paid: number;
  currency: string;
  meter: Meter;
  /** Units that `amount` paid for. `taken`: how many of them were unused and have been taken back. */
  units: number;
  taken: number;
};

/** Returns, for example, "Payment refunded ($3.00 of $7.00): 43 AI images removed". */
export function formatReversalReason({ kind, amount, paid, currency, meter, units, taken }: Reversal): string {
  const format = (cents: number) => formatMoney({ amount: cents, currency });
  const money = `${format(Math.min(amount, paid))} of ${format(paid)}`;
  const event = kind === 'refund' ? `Payment refunded (${money})` : `Payment lost in a dispute (${money})`;
  if (taken < units)
    return `${event}: ${formatCount(taken)} of ${countImages(units, meter)} removed, the rest was used`;
  return `${event}: ${countImages(units, meter)} removed`;
}

export const formatLateReleaseReason = (expiresAt: Date) =>
  `Refunded after the quota expired on ${lastDayOf(expiresAt)}`;

/** Returns, for example, "Pack of 500 images, no expiration". */
export const formatPackReason = (pack: { units: number; meter: Meter }) =>
  `Pack of ${countImages(pack.units, pack.meter)}, no expiration`;

export const formatGrantReason = (grant: { units: number; meter: Meter; expiresAt: Date; reason: string }) =>
  `Granted until ${lastDayOf(grant.expiresAt)}: ${countImages(grant.units, grant.meter)}. ${grant.reason}`;

export const formatRetryGrantReason = ({ meter, filename }: { meter: Meter; filename: string }) =>
  `Granted to retry ${filename}, which failed: ${countImages(1, meter)}`;

export const retryExpiryReason = 'Expired: this credit was granted for the retry only';

export const administratorReason = 'Refunded: the job was canceled by our support team';

const formatProcessingTime = (seconds: number) => `${pluralize(Math.round(seconds), 'second')} of processing`;

export const formatCancelReason = (seconds: number) => `Canceled after ${formatProcessingTime(seconds)}`;

export const formatCancelDetail = (seconds: number) =>
  `The job was canceled after ${formatProcessingTime(seconds)}. You were charged 1 credit.`;

export const freeJobReasons: Record<FreeReason, string> = {
  original: 'Refunded: the result is the image itself, because a new file would be larger',
  repeated: 'Refunded: the same image was already processed with these options',
};

/** Returns the reason for refunding a unit: the first sentence of the error's title. */
export function formatReleaseReason(code: ErrorCode): string {
  const [sentence = ''] = errorCodes[code].title.split(/\.(?: |$)/);
  return `Refunded: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}
