import * as z from 'zod';
import type { Payments } from './open-payments.ts';
import { type IdempotentInput, makeCalls, type Page, type PageInput } from './transport/calls.ts';
import {
  centsField,
  currencyField,
  metadataField,
  type Origin,
  optionalIdField,
  originMetadata,
  timeField,
  toOrigin,
} from './transport/fields.ts';

export type Refund = z.output<typeof refundSchema>;
export type Dispute = z.output<typeof disputeSchema>;

export const refundSchema = z
  .object({
    id: z.string(),
    payment_intent: optionalIdField,
    amount: centsField,
    currency: currencyField,
    status: z.enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled']),
    reason: z.string().nullable(),
    failure_reason: z.string().optional(),
    created: timeField,
    metadata: metadataField,
  })
  .transform((refund) => ({
    id: refund.id,
    paymentIntentId: refund.payment_intent,
    amount: refund.amount,
    currency: refund.currency,
    status: refund.status,
    reason: refund.reason,
    failureReason: refund.failure_reason ?? null,
    createdAt: refund.created,
    ...toOrigin(refund.metadata),
  }));
const refundCalls = makeCalls(refundSchema);

/** Refunds `amount` cents of a payment. Stripe rejects more than the unrefunded amount (`charge_already_refunded`). */
export function createRefund(
  payments: Payments,
  input: Origin & IdempotentInput & { paymentIntentId: string; amount: number },
): Promise<Refund> {
  const { paymentIntentId, amount } = input;
  return refundCalls.post(payments, input, (stripe, options) =>
    stripe.refunds.create(
      { payment_intent: paymentIntentId, amount, reason: 'requested_by_customer', metadata: originMetadata(input) },
      options,
    ),
  );
}

type OfPayment = PageInput & { paymentIntentId: string };

/** Lists all refunds of a payment, including refunds created directly in Stripe. */
export const listRefunds = (payments: Payments, { paymentIntentId, after }: OfPayment): Promise<Page<Refund>> =>
  refundCalls.list(payments, { after }, (stripe, page) =>
    stripe.refunds.list({ payment_intent: paymentIntentId, ...page }),
  );

const toOutcome = (status: string): 'open' | 'won' | 'lost' =>
  status === 'won' || status === 'lost' ? status : 'open';

const disputeSchema = z
  .object({
    id: z.string(),
    payment_intent: optionalIdField,
    amount: centsField,
    currency: currencyField,
    // Not an enum, because Stripe has added statuses in the past. Only `won` and `lost` have consequences.
    status: z.string(),
    reason: z.string(),
    created: timeField,
  })
  .transform(({ id, payment_intent, amount, currency, status, reason, created }) => ({
    id,
    paymentIntentId: payment_intent,
    amount,
    currency,
    outcome: toOutcome(status),
    reason,
    createdAt: created,
  }));
const disputeCalls = makeCalls(disputeSchema);

export const listDisputes = (payments: Payments, { paymentIntentId, after }: OfPayment): Promise<Page<Dispute>> =>
  disputeCalls.list(payments, { after }, (stripe, page) =>
    stripe.disputes.list({ payment_intent: paymentIntentId, ...page }),
  );
