import { type CheckoutSession, getCheckoutSession, listCheckoutSessions } from '@uprez/payments/checkout-sessions';
import { expireSession } from './expire-session.ts';
import type { PurchaseKind } from './purchase-kind.ts';

/** What is paid on Stripe's page. */
export type HostedPurchase = PurchaseKind<Pick<CheckoutSession, 'url'>>;

/** Finds the session that a lost request created. */
export const findSession: HostedPurchase['steps'][number]['find'] = async ({ payments }, { id, stripeIds }) => {
  const { items } = await listCheckoutSessions(payments, { customerId: stripeIds.customerId ?? '' });
  const found = items.find(({ callId }) => callId === id);
  return found && { sessionId: found.id };
};

/** How purchases on Stripe's page are read and ended. */
export const hostedRules: Pick<HostedPurchase, 'asksAddress' | 'read' | 'close'> = {
  asksAddress: true,
  read: async ({ payments }, { stripeIds }) => {
    const { status, url } = await getCheckoutSession(payments, stripeIds.sessionId ?? '');
    if (status === 'expired') return { state: 'ended' };
    return status === 'open' ? { state: 'open', offer: { url } } : { state: 'paid' };
  },
  close: (ctx, { stripeIds }) => expireSession(ctx, stripeIds.sessionId ?? ''),
};
