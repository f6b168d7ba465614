import { AppError } from '@uprez/contracts/errors/app-error';
import { PaymentError } from '@uprez/payments/payment-error';
import { createRefund, listRefunds } from '@uprez/payments/refunds';
import type { CallKind, Step } from '../calls/call-kind.ts';
import { endStep } from '../changes/cancel-plan.ts';
import { type Withdrawal, withdrawalSteps } from '../changes/shared-steps.ts';

/** `amount`: in cents. */
type RefundRequest = { paymentId: string; amount: number };

/** How long a refund may be continued after a crash or a Stripe outage, in seconds. */
const expiresS = 900;

const refundStep: Step<RefundRequest> = {
  name: 'refund',
  send: async ({ payments }, { id: callId, accountId, request: { paymentId, amount } }, idempotencyKey) => {
    const input = { accountId, callId, paymentIntentId: paymentId, amount, idempotencyKey };
    try {
      return { refundId: (await createRefund(payments, input)).id };
    } catch (error) {
      // Stripe rejects the refund if the payment was refunded there since the last sync.
      const isRefused = error instanceof PaymentError && error.kind === 'invalid_request';
      throw isRefused ? new AppError('payment_changed', { cause: error }) : error;
    }
  },
  find: async ({ payments }, { id: callId, request: { paymentId } }) => {
    const { items } = await listRefunds(payments, { paymentIntentId: paymentId });
    const refund = items.find((one) => one.callId === callId);
    return refund && { refundId: refund.id };
  },
};

export const refundKind: CallKind<RefundRequest> = {
  name: 'refund',
  slot: null,
  expiresS,
  steps: [refundStep],
};

const [release, withdrawPending] = withdrawalSteps;

/**
 * Refunds a payment and ends the subscription that it paid for. If Stripe rejects the refund, the subscription
 * continues. After the refund, ending the subscription is retried without a deadline, even if Stripe is unreachable.
 */
export const refundAndCancelKind: CallKind<RefundRequest & Withdrawal> = {
  name: 'refund_and_cancel',
  slot: 'change',
  expiresS,
  steps: [
    refundStep,
    { ...release, isOwed: true },
    { ...endStep, isOwed: true },
    // Withdrawn last, because Stripe refuses to void an invoice that was paid a moment ago.
    { ...withdrawPending, isOwed: true },
  ],
};
