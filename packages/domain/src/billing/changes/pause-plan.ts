import type { pauseMonths } from '@uprez/contracts/policy/billing/billing';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { formatDay } from '@uprez/contracts/texts/format';
import { pauseSubscription } from '@uprez/payments/subscription-changes';
import type { Subscription } from '@uprez/payments/subscriptions';
import { periodOf } from '../../usage/period.ts';
import type { CallContext, CallKind } from '../calls/call-kind.ts';
import { makeStateError } from '../calls/stripe-errors.ts';
import { readBilling } from '../own/read-billing.ts';
import { findBillAfterPause } from '../present-bill.ts';
import { startOrAwait } from './await-same-change.ts';
import { loadOwnSubscription, requirePaidSubscription } from './load-own-subscription.ts';
import { changeTimeoutS, continueOpenCall, runChange } from './run-change.ts';
import { findBySubscription, type Withdrawal, withdrawalOf, withdrawalSteps } from './shared-steps.ts';

/** `resumesAt` is in ISO 8601. `months` is the duration that the user chose. */
type Pause = Withdrawal & { months: number; resumesAt: string };

/** Skips the bills for the periods after the current one. */
export const pauseKind: CallKind<Pause> = {
  name: 'pause',
  slot: 'change',
  expiresS: changeTimeoutS,
  steps: [
    ...withdrawalSteps,
    {
      name: 'pause',
      send: async ({ payments }, { request: { subscriptionId, resumesAt } }, idempotencyKey) => {
        await pauseSubscription(payments, { subscriptionId, resumesAt: new Date(resumesAt), idempotencyKey });
        return {};
      },
      find: findBySubscription(({ isPaused }) => isPaused),
    },
  ],
};

type Input = { accountId: string; months: (typeof pauseMonths)[number] };

/** Pauses a monthly plan when its paid period ends. Throws AppError. */
export async function pausePlan(ctx: CallContext, { accountId, months }: Input): Promise<Billing> {
  const change = { accountId, wanted: { months } };
  await startOrAwait(ctx, { kinds: [pauseKind], ...change }, async () => {
    if (await continueOpenCall(ctx, pauseKind, change)) return;
    const { subscription } = await loadOwnSubscription(ctx, accountId);
    requirePausable(subscription);
    const resumesAt = findEndOfPause(subscription, months).toISOString();
    const request = { ...withdrawalOf(subscription), months, resumesAt };
    await runChange(ctx, pauseKind, { ...change, request });
  });
  return await readBilling(ctx, accountId);
}

function requirePausable(subscription: Subscription): void {
  requirePaidSubscription(subscription);
  const { price, isPaused, pausedUntil, cancelsAtPeriodEnd, cancelAt, next } = subscription;
  const continuesAt = pausedUntil && findBillAfterPause(subscription, pausedUntil);
  if (price.interval !== 'month') throw makeStateError('Only monthly plans can be paused.');
  if (isPaused)
    throw makeStateError(`Your plan is already set to pause${continuesAt ? ` until ${formatDay(continuesAt)}` : ''}.`);
  if (cancelsAtPeriodEnd || cancelAt)
    throw makeStateError('Your plan is set to end. To pause it, select "Keep plan" first.');
  if (next) throw makeStateError('Your plan changes at the end of the period. Undo the change before you pause.');
}

const hourMs = 3_600_000;

/**
 * Returns the time at which a pause ends. This is one hour before the start of the first period that is billed again,
 * because Stripe decides at the start of a period whether to bill it.
 */
export function findEndOfPause(
  { anchor, periodEnd }: Pick<Subscription, 'anchor' | 'periodEnd'>,
  months: number,
): Date {
  let boundary = periodEnd;
  for (let month = 0; month < months; month += 1) boundary = periodOf(anchor, boundary).endsAt;
  return new Date(Number(boundary) - hourMs);
}
