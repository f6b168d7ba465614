import * as z from 'zod';
import type { Payments } from './open-payments.ts';
import { refundSchema } from './refunds.ts';
import { makeCalls, type Page, type PageInput } from './transport/calls.ts';
import { centsField, currencyField, metadataField, optionalIdField, timeField, toOrigin } from './transport/fields.ts';

export type Payment = z.output<typeof paymentSchema>;

const chargeSchema = z.object({
  id: z.string(),
  amount_refunded: centsField,
  disputed: z.boolean(),
  payment_method_details: z
    .object({
      type: z.string(),
      card: z
        .object({
          brand: z.string().nullable(),
          last4: z.string().nullable(),
          fingerprint: z.string().nullish(),
        })
        .nullish(),
    })
    .nullable(),
  refunds: z.object({ data: z.array(refundSchema) }).nullish(),
});
const failureSchema = z.object({
  code: z.string().optional(),
  decline_code: z.string().optional(),
  message: z.string().optional(),
});

const paymentSchema = z
  .object({
    id: z.string(),
    customer: optionalIdField,
    amount: centsField,
    amount_received: centsField,
    currency: currencyField,
    status: z.enum([
      'requires_payment_method',
      'requires_confirmation',
      'requires_action',
      'processing',
      'requires_capture',
      'canceled',
      'succeeded',
    ]),
    last_payment_error: failureSchema.nullable(),
    latest_charge: chargeSchema.nullable(),
    created: timeField,
    metadata: metadataField,
  })
  .transform(({ last_payment_error: failure, latest_charge: charge, ...intent }) => ({
    id: intent.id,
    customerId: intent.customer,
    amount: intent.amount,
    received: intent.amount_received,
    refunded: charge?.amount_refunded ?? 0,
    currency: intent.currency,
    status: intent.status,
    /** Type of payment method, such as `card` or `paypal`. */
    method: charge?.payment_method_details?.type ?? null,
    /** Null unless the payment method is a card. */
    cardBrand: charge?.payment_method_details?.card?.brand ?? null,
    cardLast4: charge?.payment_method_details?.card?.last4 ?? null,
    /** Identifies the card number: equal numbers have equal fingerprints. */
    cardFingerprint: charge?.payment_method_details?.card?.fingerprint ?? null,
    isDisputed: charge?.disputed ?? false,
    failure: failure && {
      code: failure.code ?? null,
      declineCode: failure.decline_code ?? null,
      /** Message for the customer. */
      message: failure.message ?? null,
    },
    /** The latest 10 refunds. */
    refunds: charge?.refunds?.data ?? [],
    createdAt: intent.created,
    ...toOrigin(intent.metadata),
  }));
const paymentCalls = makeCalls(paymentSchema);

const expands = ['latest_charge', 'latest_charge.refunds'];

export const getPayment = (payments: Payments, paymentIntentId: string): Promise<Payment> =>
  paymentCalls.get(payments, (stripe) => stripe.paymentIntents.retrieve(paymentIntentId, { expand: expands }));

/** Lists a customer's payments with their refunds, because Stripe can't list refunds by customer. */
export const listPayments = (
  payments: Payments,
  { customerId, after }: PageInput & { customerId: string },
): Promise<Page<Payment>> =>
  paymentCalls.list(payments, { after }, (stripe, page) =>
    stripe.paymentIntents.list({
      customer: customerId,
      expand: expands.map((field) => `data.${field}`),
      ...page,
    }),
  );
