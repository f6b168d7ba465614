import * as z from 'zod';
import type { Payments } from './open-payments.ts';
import { type IdempotentInput, makeCalls, type Page, type PageInput, parseReply, send } from './transport/calls.ts';
import {
  amountsField,
  centsField,
  currencyField,
  idField,
  metadataField,
  optionalIdField,
  optionalTimeField,
  timeField,
  toOrigin,
} from './transport/fields.ts';

export type Invoice = z.output<typeof invoiceSchema>;

/** Parent of an invoice line: a subscription item or an invoice item. Both kinds can mark the line as a proration. */
const parentSchema = z.object({ proration: z.boolean(), subscription: z.string().nullable() }).nullable();
const lineSchema = z
  .object({
    id: z.string(),
    amount: centsField,
    currency: currencyField,
    description: z.string().nullable(),
    period: z.object({ start: timeField, end: timeField }),
    pricing: z.object({ price_details: z.object({ price: idField }).optional() }).nullable(),
    parent: z.object({ subscription_item_details: parentSchema, invoice_item_details: parentSchema }).nullable(),
    discount_amounts: amountsField,
    taxes: amountsField,
  })
  .transform(({ id, amount, currency, description, period, pricing, parent, discount_amounts, taxes }) => ({
    id,
    /** In cents, before discounts. Negative for credits. */
    amount,
    discount: discount_amounts,
    tax: taxes,
    currency,
    description,
    period,
    priceId: pricing?.price_details?.price ?? null,
    isProration: (parent?.subscription_item_details ?? parent?.invoice_item_details)?.proration ?? false,
  }));

const reasons = ['subscription_create', 'subscription_cycle', 'subscription_update', 'manual'] as const;
const paymentSchema = z.object({ payment: z.object({ payment_intent: optionalIdField }) });

export const invoiceSchema = z
  .object({
    id: z.string(),
    number: z.string().nullable(),
    customer: optionalIdField,
    status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']),
    currency: currencyField,
    subtotal: centsField,
    total_discount_amounts: amountsField,
    total_taxes: amountsField,
    total: centsField,
    amount_due: centsField,
    amount_paid: centsField,
    amount_remaining: centsField,
    starting_balance: centsField,
    ending_balance: centsField.nullable(),
    billing_reason: z
      .enum(reasons)
      .or(z.string().transform(() => 'other' as const))
      .nullable(),
    attempt_count: z.int(),
    next_payment_attempt: optionalTimeField,
    created: timeField,
    status_transitions: z.object({
      finalized_at: optionalTimeField,
      paid_at: optionalTimeField,
      voided_at: optionalTimeField,
    }),
    parent: z.object({ subscription_details: z.object({ subscription: idField }).nullable() }).nullable(),
    lines: z.object({ data: z.array(lineSchema), has_more: z.boolean() }),
    payments: z.object({ data: z.array(paymentSchema) }).optional(),
    metadata: metadataField,
  })
  .transform((invoice) => ({
    id: invoice.id,
    /** Null in drafts and previews. */
    number: invoice.number,
    customerId: invoice.customer,
    subscriptionId: invoice.parent?.subscription_details?.subscription ?? null,
    status: invoice.status,
    currency: invoice.currency,
    subtotal: invoice.subtotal,
    discount: invoice.total_discount_amounts,
    tax: invoice.total_taxes,
    total: invoice.total,
    /** Total minus the customer's credit. */
    due: invoice.amount_due,
    paid: invoice.amount_paid,
    remaining: invoice.amount_remaining,
    /** Customer balance before and after this invoice. Negative for credit. */
    startingBalance: invoice.starting_balance,
    endingBalance: invoice.ending_balance,
    reason: invoice.billing_reason ?? ('other' as const),
    attempts: invoice.attempt_count,
    nextAttemptAt: invoice.next_payment_attempt,
    createdAt: invoice.created,
    finalizedAt: invoice.status_transitions.finalized_at,
    paidAt: invoice.status_transitions.paid_at,
    voidedAt: invoice.status_transitions.voided_at,
    lines: invoice.lines.data,
    /** False for our invoices, which have at most 4 lines. Stripe returns the first 10. */
    hasMoreLines: invoice.lines.has_more,
    /** Filled only by `listInvoices` and `getInvoice`. */
    paymentIntentIds: (invoice.payments?.data ?? [])
      .map(({ payment }) => payment.payment_intent)
      .filter((id) => id !== null),
    /** Account ID from the invoice's metadata. Set on invoices without a subscription. */
    accountId: toOrigin(invoice.metadata).accountId,
  }));
const invoiceCalls = makeCalls(invoiceSchema);

export const listInvoices = (
  payments: Payments,
  { customerId, after }: PageInput & { customerId: string },
): Promise<Page<Invoice>> =>
  invoiceCalls.list(payments, { after }, (stripe, page) =>
    stripe.invoices.list({ customer: customerId, expand: ['data.payments'], ...page }),
  );

const confirmationSchema = z.object({ confirmation_secret: z.object({ client_secret: z.string() }).nullish() });

/**
 * Reads an invoice. While the invoice is open, the customer can pay it in the browser with `clientSecret`. Never store
 * or log the secret.
 */
export async function getInvoice(
  payments: Payments,
  invoiceId: string,
): Promise<{ invoice: Invoice; clientSecret: string | null }> {
  const reply = await send(payments, (stripe) =>
    stripe.invoices.retrieve(invoiceId, { expand: ['confirmation_secret', 'payments'] }),
  );
  const invoice = parseReply(invoiceSchema, reply);
  const secret = parseReply(confirmationSchema, reply).confirmation_secret?.client_secret ?? null;
  return { invoice, clientSecret: invoice.status === 'open' ? secret : null };
}

/** Attempts to collect an open invoice now. Throws PaymentError `card_declined` or `action_required`. */
export function payInvoice(
  payments: Payments,
  input: IdempotentInput & { invoiceId: string; paymentMethodId?: string | undefined },
): Promise<Invoice> {
  const { invoiceId, paymentMethodId } = input;
  return invoiceCalls.post(payments, input, (stripe, options) =>
    stripe.invoices.pay(invoiceId, { ...(paymentMethodId && { payment_method: paymentMethodId }) }, options),
  );
}

/** Prevents Stripe from finalizing and collecting a draft. */
export const stopDraft = (payments: Payments, input: IdempotentInput & { invoiceId: string }): Promise<Invoice> =>
  invoiceCalls.post(payments, input, (stripe, options) =>
    stripe.invoices.update(input.invoiceId, { auto_advance: false }, options),
  );

export const voidInvoice = (payments: Payments, input: IdempotentInput & { invoiceId: string }): Promise<Invoice> =>
  invoiceCalls.post(payments, input, (stripe, options) => stripe.invoices.voidInvoice(input.invoiceId, {}, options));

const pdfSchema = z.object({ invoice_pdf: z.url().nullish() });

/** Returns the current URL of the PDF, or null for drafts. The URL expires, so read it for each download. */
export async function getInvoicePdfUrl(payments: Payments, invoiceId: string): Promise<string | null> {
  const { invoice_pdf: url } = await makeCalls(pdfSchema).get(payments, (stripe) =>
    stripe.invoices.retrieve(invoiceId),
  );
  return url ?? null;
}
