import {
  createSubscription,
  getSubscription,
  listSubscriptions,
  type Subscription,
} from '@uprez/payments/subscriptions';
import { addressStep, customerSteps, endIncompleteSubscription, endOtherPurchases, isEnded } from './customer-steps.ts';
import { type PurchaseKind, purchaseRules } from './purchase-kind.ts';

/** A subscription and the secret that Stripe.js needs to confirm it. Never store or log the secret. */
export type FormOffer = { subscription: Subscription; clientSecret: { kind: 'payment' | 'setup'; value: string } };

/** Buys a plan in our own form. The subscription is incomplete until its first bill is paid. */
export const formPurchaseKind: PurchaseKind<FormOffer> = {
  name: 'subscribe',
  ...purchaseRules,
  asksAddress: false,
  steps: [
    ...customerSteps,
    addressStep,
    {
      name: 'create',
      send: async (ctx, call, idempotencyKey) => {
        await endOtherPurchases(ctx, call);
        const { id: callId, accountId, request, stripeIds } = call;
        const { subscription } = await createSubscription(ctx.payments, {
          ...{ accountId, callId, idempotencyKey, collectsTax: request.collectsTax },
          customerId: stripeIds.customerId ?? '',
          priceId: request.priceId,
          promotionCodeId: request.coupon?.promotionCodeId,
        });
        return { subscriptionId: subscription.id };
      },
      find: async ({ payments }, { id, stripeIds }) => {
        const { items } = await listSubscriptions(payments, { customerId: stripeIds.customerId ?? '' });
        const found = items.find(({ callId }) => callId === id);
        return found && { subscriptionId: found.id };
      },
    },
  ],
  read: async ({ payments }, { stripeIds }) => {
    const { subscription, clientSecret } = await getSubscription(payments, stripeIds.subscriptionId ?? '');
    if (isEnded(subscription)) return { state: 'ended' };
    return clientSecret ? { state: 'open', offer: { subscription, clientSecret } } : { state: 'paid' };
  },
  close: (ctx, { stripeIds }) => endIncompleteSubscription(ctx, stripeIds.subscriptionId ?? ''),
};
