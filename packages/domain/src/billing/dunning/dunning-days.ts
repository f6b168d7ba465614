import { billingRules } from '@uprez/contracts/policy/billing';

/** Days after the first failed attempt on which something happens: an email and an attempt, at last the end of the plan. */
export const dunningDays: readonly number[] = [0, ...billingRules.retryDays, billingRules.unpaidDays];

const dayMs = 86_400_000;
const after = (pastDueAt: Date, days: number) => new Date(Number(pastDueAt) + days * dayMs);

export const endOf = (pastDueAt: Date): Date => after(pastDueAt, billingRules.unpaidDays);

/** When the bill is collected next: by Stripe, else on the next day of dunning. Null after the last attempt. */
export function nextAttemptOf(renewal: { pastDueAt: Date; nextAttemptAt: Date | null }, day: number): Date | null {
  if (renewal.nextAttemptAt) return renewal.nextAttemptAt;
  const next = billingRules.retryDays.find((retryDay) => retryDay > day);
  return next === undefined ? null : after(renewal.pastDueAt, next);
}
