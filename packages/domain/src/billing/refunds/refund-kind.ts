import { createRefund, listRefunds } from '@uprez/payments/refunds';
import type { CallKind } from '../calls/call-kind.ts';

/** `amount`: cents. */
type RefundRequest = { paymentId: string; amount: number };

/** How long a refund may be continued after a crash or an outage of Stripe, seconds. */
const expiresS = 900;

/** Refunds a part of a payment, or all of it. */
export const refundKind: CallKind<RefundRequest> = {
  name: 'refund',
  slot: null,
  expiresS,
  steps: [
    {
      name: 'refund',
      send: async ({ payments }, { id: callId, accountId, request: { paymentId, amount } }, idempotencyKey) => {
        const input = { accountId, callId, paymentIntentId: paymentId, amount, idempotencyKey };
        return { refundId: (await createRefund(payments, input)).id };
      },
      find: async ({ payments }, { id: callId, request: { paymentId } }) => {
        const { items } = await listRefunds(payments, { paymentIntentId: paymentId });
        const refund = items.find((one) => one.callId === callId);
        return refund && { refundId: refund.id };
      },
    },
  ],
};
