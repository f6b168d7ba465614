import { clearPause, pauseSubscription, restartBillingCycle } from '@uprez/payments/subscription-changes';
import { getSubscription } from '@uprez/payments/subscriptions';
import type { CallKind, Step } from '../calls/call-kind.ts';
import { reserveChangeCoupon } from '../coupons/reserve-coupon.ts';
import { isDeclined, outcomeStep } from './payment-outcome.ts';
import { checkStep, type PlanChange } from './plan-change.ts';
import { changeTimeoutS } from './run-change.ts';
import { findBySubscription, withdrawalSteps } from './shared-steps.ts';

const clearStep: Step<{ subscriptionId: string }> = {
  name: 'clear',
  send: async ({ payments }, { request: { subscriptionId } }, idempotencyKey) => {
    await clearPause(payments, { subscriptionId, idempotencyKey });
    return {};
  },
  find: findBySubscription(({ isPaused }) => !isPaused),
};

/** Ends a pause during a period that has been paid. */
export const clearPauseKind: CallKind<{ subscriptionId: string }> = {
  name: 'clear_pause',
  slot: 'change',
  expiresS: changeTimeoutS,
  steps: [clearStep],
};

/** Ends a pause by starting a paid period immediately, at the same or another price. */
export const restartKind: CallKind<PlanChange> = {
  name: 'restart',
  slot: 'change',
  expiresS: changeTimeoutS,
  reserve: reserveChangeCoupon,
  steps: [
    checkStep,
    ...withdrawalSteps,
    clearStep,
    {
      name: 'restart',
      send: async ({ payments }, { request }, idempotencyKey) => {
        const { subscriptionId, itemId, priceId, addedCode: code } = request;
        const change = { subscriptionId, itemId, priceId, code, idempotencyKey };
        const { subscription } = await restartBillingCycle(payments, change);
        return { invoiceId: subscription.latestInvoiceId ?? '' };
      },
      find: async ({ payments }, { request }) => {
        const { subscription } = await getSubscription(payments, request.subscriptionId);
        const { pending, price, periodStart, latestInvoiceId } = subscription;
        const isDone = pending
          ? pending.priceId === request.priceId
          : price.id === request.priceId && periodStart > new Date(request.periodStart);
        return isDone ? { invoiceId: latestInvoiceId ?? '' } : undefined;
      },
    },
    outcomeStep,
    {
      name: 'pause_again',
      isOwed: true,
      send: async ({ payments }, call, idempotencyKey) => {
        const { subscriptionId, pausedUntil } = call.request;
        if (isDeclined(call) && pausedUntil)
          await pauseSubscription(payments, { subscriptionId, resumesAt: new Date(pausedUntil), idempotencyKey });
        return {};
      },
      find: async (ctx, call) =>
        isDeclined(call) && call.request.pausedUntil
          ? await findBySubscription(({ isPaused }) => isPaused)(ctx, call)
          : {},
    },
  ],
};
