import { createCheckoutSession } from '@uprez/payments/checkout-sessions';
import { clearCustomer } from './clear-customer.ts';
import { customerSteps } from './customer-steps.ts';
import { findSession, type HostedPurchase, hostedRules } from './hosted-purchase.ts';
import { purchaseRules } from './purchase-kind.ts';

/** Buys a plan on Stripe's page. */
export const buyHosted: HostedPurchase = {
  name: 'checkout',
  ...purchaseRules,
  ...hostedRules,
  steps: [
    ...customerSteps,
    {
      name: 'create',
      send: async (ctx, call, idempotencyKey) => {
        await clearCustomer(ctx, call);
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
