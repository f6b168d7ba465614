import { lockCustomer } from '@uprez/db/queries/billing/billing-customers';
import { findUnpaidRenewal, saveLadderStep } from '@uprez/db/queries/billing/ladder';
import { getInvoice, voidInvoice } from '@uprez/payments/invoices';
import { PaymentError } from '@uprez/payments/payment-error';
import { cancelNow } from '@uprez/payments/subscription-changes';
import { getSubscription } from '@uprez/payments/subscriptions';
import type { Call, CallContext, CallKind } from '../calls/call-kind.ts';
import type { UnpaidRequest } from './collect-kind.ts';

const dayS = 86_400;

type Ending = { ctx: CallContext; call: Call<UnpaidRequest> };

/**
 * Ends a plan that nobody paid. The bill is voided first: Stripe rejects that if it was paid in the last moment, and then the
 * plan stays.
 */
export const endKind: CallKind<UnpaidRequest> = {
  name: 'end_lapsed',
  slot: null,
  expiresS: 30 * dayS,
  steps: [
    {
      name: 'void',
      send: async (ctx, call, idempotencyKey) => {
        const { invoiceId } = call.request;
        try {
          const { status } = await voidInvoice(ctx.payments, { invoiceId, idempotencyKey });
          return { invoice: status };
        } catch (error) {
          const status =
            error instanceof PaymentError && error.kind === 'invalid_request' && (await readStatus({ ctx, call }));
          if (status && status !== 'open') return { invoice: status };
          throw error;
        }
      },
      find: async (ctx, call) => {
        const status = await readStatus({ ctx, call });
        return status === 'open' ? undefined : { invoice: status };
      },
    },
    {
      name: 'cancel',
      send: async (ctx, call) => {
        if (call.stripeIds.invoice !== 'paid' && !(await isEnded({ ctx, call })))
          await cancelNow(ctx.payments, { subscriptionId: call.request.subscriptionId });
        return {};
      },
      find: async (ctx, call) => ((await isEnded({ ctx, call })) ? {} : undefined),
      store: async (tx, { request }) => {
        const renewal = await findUnpaidRenewal(tx, request.subscriptionId);
        if (!renewal) return;
        await lockCustomer(tx, renewal.customerId);
        await saveLadderStep(tx, request);
      },
    },
  ],
};

const readStatus = async ({ ctx, call }: Ending) =>
  (await getInvoice(ctx.payments, call.request.invoiceId)).invoice.status;

async function isEnded({ ctx, call }: Ending): Promise<boolean> {
  const { subscription } = await getSubscription(ctx.payments, call.request.subscriptionId);
  return subscription.status === 'canceled';
}
