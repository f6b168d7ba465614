import {
  type CheckoutSession,
  createCheckoutSession,
  getCheckoutSession,
  listCheckoutSessions,
} from '@uprez/payments/checkout-sessions';
import { clearCustomer } from './clear-customer.ts';
import { customerSteps } from './customer-steps.ts';
import { expireSession } from './expire-session.ts';
import { type PurchaseKind, purchaseRules } from './purchase-kind.ts';

/** Buys on Stripe's page. */
export const buyHosted: PurchaseKind<Pick<CheckoutSession, 'url'>> = {
  name: 'checkout',
  ...purchaseRules,
  steps: [
    ...customerSteps,
    {
      name: 'create',
      send: async (ctx, call, idempotencyKey) => {
        await clearCustomer(ctx, call);
        const { id: callId, accountId, request, stripeIds, expiresAt } = call;
        const { priceId, publicUrl, coupon } = request;
        const { id: sessionId } = await createCheckoutSession(ctx.payments, {
          ...{ accountId, callId, idempotencyKey, collectsTax: false, mode: 'subscription' },
          ...{ priceId, publicUrl, expiresAt, customerId: stripeIds.customerId ?? '' },
          promotionCodeId: coupon?.promotionCodeId,
        });
        return { sessionId };
      },
      find: async ({ payments }, { id, stripeIds }) => {
        const { items } = await listCheckoutSessions(payments, { customerId: stripeIds.customerId ?? '' });
        const found = items.find(({ callId }) => callId === id);
        return found && { sessionId: found.id };
      },
    },
  ],
  read: async ({ payments }, { stripeIds }) => {
    const { status, url } = await getCheckoutSession(payments, stripeIds.sessionId ?? '');
    if (status === 'expired') return { state: 'ended' };
    return status === 'open' ? { state: 'open', offer: { url } } : { state: 'paid' };
  },
  close: (ctx, { stripeIds }) => expireSession(ctx, stripeIds.sessionId ?? ''),
};
