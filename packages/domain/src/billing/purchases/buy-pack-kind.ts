import { createCheckoutSession } from '@uprez/payments/checkout-sessions';
import { findSession, type HostedPurchase, hostedRules } from './buy-hosted.ts';
import { customerSteps } from './customer-steps.ts';
import { purchaseRules } from './purchase-kind.ts';

/** Buys a pack on Stripe's page. An account has one open purchase of a pack, beside that of a plan. */
export const buyPackKind: HostedPurchase = {
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
