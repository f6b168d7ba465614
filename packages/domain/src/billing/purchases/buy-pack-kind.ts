import {
  type CheckoutSession,
  createCheckoutSession,
  getCheckoutSession,
  listCheckoutSessions,
} from '@uprez/payments/checkout-sessions';
import { customerSteps } from './customer-steps.ts';
import { expireSession } from './expire-session.ts';
import { type PurchaseKind, purchaseRules } from './purchase-kind.ts';

/** Buys a pack on Stripe's page. An account has one open purchase of a pack, beside that of a plan. */
export const buyPackKind: PurchaseKind<Pick<CheckoutSession, 'url'>> = {
  name: 'pack',
  slot: 'pack',
  isRepeatable: true,
  expiresS: purchaseRules.expiresS,
  steps: [
    ...customerSteps,
    {
      name: 'create',
      send: async ({ payments }, { id: callId, accountId, request, stripeIds, expiresAt }, idempotencyKey) => {
        const { priceId, publicUrl } = request;
        const { id: sessionId } = await createCheckoutSession(payments, {
          ...{ accountId, callId, idempotencyKey, collectsTax: false, mode: 'payment' },
          ...{ priceId, publicUrl, expiresAt, customerId: stripeIds.customerId ?? '' },
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
