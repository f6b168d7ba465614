import { upgradeSubscription } from '@uprez/payments/subscription-changes';
import { getSubscription } from '@uprez/payments/subscriptions';
import type { CallKind } from '../calls/call-kind.ts';
import { reserveChangeCoupon } from '../coupons/reserve-change-coupon.ts';
import { isDeclined, outcomeStep } from './payment-outcome.ts';
import { checkStep, type PlanChange } from './plan-change.ts';
import { changeS } from './run-change.ts';
import { makeScheduleSteps } from './schedule-steps.ts';
import { withdrawalSteps } from './shared-steps.ts';

/** Changes the price now, in exchange for a payment. */
export const upgradeKind: CallKind<PlanChange> = {
  name: 'upgrade',
  slot: 'change',
  expiresS: changeS,
  reserve: reserveChangeCoupon,
  steps: [
    checkStep,
    ...withdrawalSteps,
    {
      name: 'upgrade',
      send: async ({ payments }, { request }, idempotencyKey) => {
        const { subscriptionId, itemId, priceId, quotedAt, addedCode: code } = request;
        const change = { subscriptionId, itemId, priceId, code, prorationDate: new Date(quotedAt), idempotencyKey };
        const { subscription } = await upgradeSubscription(payments, change);
        return { invoiceId: subscription.latestInvoiceId ?? '' };
      },
      find: async ({ payments }, { request }) => {
        const { subscription } = await getSubscription(payments, request.subscriptionId);
        const priceId = subscription.pending ? subscription.pending.priceId : subscription.price.id;
        return priceId === request.priceId ? { invoiceId: subscription.latestInvoiceId ?? '' } : undefined;
      },
    },
    outcomeStep,
    // What was withdrawn for a change that isn't paid comes back.
    ...makeScheduleSteps<PlanChange>((call) => (isDeclined(call) ? call.request.scheduled : null)).map((step) => ({
      ...step,
      isOwed: true as const,
    })),
  ],
};
