import * as z from 'zod';
import type { Context } from '../context.ts';
import type { Invoice } from './make-invoice.ts';

/** As many retries, and as much time, as Stripe recommends: 8 within 2 weeks. Stripe predicts better times for each one. */
const smartDelaysDays = [1, 1, 2, 2, 2, 2, 2, 2];

/** When renewals that failed are collected again. */
export const retryPolicySchema = z.strictObject({
  /** Days between an attempt and the next one. Empty: no retries. */
  delaysDays: z.array(z.number().positive()).max(8).default(smartDelaysDays),
});

const DAY = 24 * 3600;

/** Returns the time of the next attempt in seconds, or null. Only invoices of renewals are collected again. */
export function findRetryTime({ store, now }: Context, invoice: Invoice, attempts: number): number | null {
  const { delaysDays } = store.get('retryPolicies', 'current') ?? { delaysDays: smartDelaysDays };
  const delayDays = delaysDays[attempts - 1];
  if (delayDays === undefined || invoice.billing_reason !== 'subscription_cycle') return null;
  return Math.floor(now() + delayDays * DAY);
}
