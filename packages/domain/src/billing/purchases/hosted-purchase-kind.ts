import {
  type CheckoutSession,
  createCheckoutSession,
  getCheckoutSession,
  listCheckoutSessions,
} from '@uprez/payments/checkout-sessions';
import { customerSteps, endOtherPurchases, expireSession } from './customer-steps.ts';
import { type PurchaseKind, purchaseRules } from './purchase-kind.ts';

type HostedPurchase = PurchaseKind<Pick<CheckoutSession, 'url'>>;

/** Finds the session that a request created before its reply was lost. */
const findSession: HostedPurchase['steps'][number]['find'] = async ({ payments }, { id, stripeIds }) => {
  const { items } = await listCheckoutSessions(payments, { customerId: stripeIds.customerId ?? '' });
  const found = items.find(({ callId }) => callId === id);
  return found && { sessionId: found.id };
};

const hostedRules: Pick<HostedPurchase, 'asksAddress' | 'read' | 'close'> = {
  asksAddress: true,
  read: async ({ payments }, { stripeIds }) => {
    const { status, url } = await getCheckoutSession(payments, stripeIds.sessionId ?? '');
    if (status === 'expired') return { state: 'ended' };
    return status === 'open' ? { state: 'open', offer: { url } } : { state: 'paid' };
  },
  close: (ctx, { stripeIds }) => expireSession(ctx, stripeIds.sessionId ?? ''),
};

/** Buys a plan on Stripe's page. */
export const hostedPurchaseKind: HostedPurchase = {
  name: 'checkout',
  ...purchaseRules,
  ...hostedRules,
  steps: [
    ...customerSteps,
    {
      name: 'create',
      send: async (ctx, call, idempotencyKey) => {
        await endOtherPurchases(ctx, call);
        const { id: callId, accountId, request, stripeIds, expiresAt } = call;
        const { priceId, publicUrl, coupon } = request;
        const { id: sessionId } = await createCheckoutSession(ctx.payments, {
          ...{ accountId, callId, idempotencyKey, collectsTax: request.collectsTax, mode: 'subscription' },
          ...{ priceId, publicUrl, expiresAt, customerId: stripeIds.customerId ?? '' },
          promotionCodeId: coupon?.promotionCodeId,
        });
        return { sessionId };
      },
      find: findSession,
    },
  ],
};

/**
 * Buys a pack on Stripe's page. An account can have an open pack purchase and an open plan purchase at the same time.
 */
export const packPurchaseKind: HostedPurchase = {
  name: 'pack',
  slot: 'pack',
  isRepeatable: true,
  expiresS: purchaseRules.expiresS,
  ...hostedRules,
  steps: [
    ...customerSteps,
    {
      name: 'create',
      send: async ({ payments }, { id: callId, accountId, request, stripeIds, expiresAt }, idempotencyKey) => {
        const { priceId, publicUrl } = request;
        const { id: sessionId } = await createCheckoutSession(payments, {
          ...{ accountId, callId, idempotencyKey, collectsTax: request.collectsTax, mode: 'payment' },
          ...{ priceId, publicUrl, expiresAt, customerId: stripeIds.customerId ?? '' },
        });
        return { sessionId };
      },
      find: findSession,
    },
  ],
};
