import type Stripe from 'stripe';
import { isEnded, stopInvoiceCollection } from '../billing/cancel-subscription.ts';
import { previewChange, readPriceChange } from '../billing/change-price.ts';
import { collectInvoice } from '../billing/collect-invoice.ts';
import { previewSubscription } from '../billing/create-subscription.ts';
import { draftRenewal } from '../billing/draft-renewal.ts';
import { findDefaultMethod, getIntentOfInvoice, getSubscriptionOfInvoice } from '../billing/find-invoice.ts';
import type { Invoice } from '../billing/make-invoice.ts';
import { finalizeInvoice } from '../billing/open-invoice.ts';
import { applyNextPhase } from '../billing/schedules.ts';
import { voidInvoiceOfSubscription } from '../billing/void-invoice.ts';
import type { Context } from '../context.ts';
import { defineCall } from '../http/define-call.ts';
import { defineResource } from '../http/define-resource.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import { DeclinedError, invalidRequestError, notServedError, StripeError } from '../stripe-error.ts';
import type { Wire } from '../wire.ts';

const invoicePayments = defineResource({
  path: '/v1/invoice_payments',
  object: 'InvoicePayment',
  table: 'invoicePayments',
});

type Params = Pick<
  Wire<Stripe.InvoiceCreatePreviewParams>,
  'automatic_tax' | 'customer' | 'discounts' | 'subscription' | 'subscription_details'
>;

function makePreview(context: Context, params: Params): Invoice {
  const { customer, subscription: id, subscription_details: details, discounts } = params;
  if (!id) {
    if (!customer || details?.items?.length !== 1)
      throw invalidRequestError(
        'You must provide a subscription, or a customer with one item of subscription_details.',
      );
    const collectsTax = params.automatic_tax?.enabled ?? false;
    const { price } = details.items[0] ?? {};
    return previewSubscription(context, { customer, price, discounts: discounts || [], collectsTax });
  }
  if (params.automatic_tax) throw notServedError('The subscription decides whether tax is computed.', 'automatic_tax');
  const subscription = getRow(context, 'subscriptions', { id, param: 'subscription' });
  if (details) return previewChange(context, subscription, readPriceChange(subscription, { ...details, discounts }));
  if (discounts !== undefined)
    throw notServedError("The double doesn't preview renewals with other discounts.", 'discounts');
  if (isEnded(subscription) || subscription.cancel_at_period_end) throw noUpcomingInvoiceError(id);
  return { ...draftRenewal(context, applyNextPhase(context, subscription)), billing_reason: 'upcoming' };
}

const noUpcomingInvoiceError = (id: string) =>
  new StripeError(404, {
    type: 'invalid_request_error',
    code: 'invoice_upcoming_none',
    message: `No upcoming invoices for subscription: ${id}`,
  });

const invoices = defineResource({ path: '/v1/invoices', object: 'Invoice', table: 'invoices' });

export const invoiceCalls = [
  defineCall({
    method: 'POST',
    path: '/v1/invoices/create_preview',
    params: 'InvoiceCreatePreviewParams',
    serves: ['automatic_tax', 'customer', 'discounts', 'subscription', 'subscription_details'],
    reply: 'Invoice',
    run: (context, params) => {
      const preview = makePreview(context, params);
      return { ...preview, id: `upcoming_${preview.id}` };
    },
  }),
  invoices.retrieve(),
  invoices.list({
    filters: ['created', 'customer', 'status'],
    serves: ['subscription'],
    where: ({ parent }, { subscription }) =>
      !subscription || idOf(parent?.subscription_details?.subscription) === subscription,
  }),
  invoices.update({
    serves: ['auto_advance'],
    run: (context, params, invoice) => {
      if (params.auto_advance !== false || invoice.status !== 'draft')
        throw notServedError('The double only stops drafts from being finalized.', 'auto_advance');
      return stopInvoiceCollection(context, invoice);
    },
  }),
  invoices.action('Pay', {
    serves: ['payment_method'],
    run: (context, params, invoice) => payInvoice(context, invoice, params.payment_method),
  }),
  invoices.action('VoidInvoice', {
    path: '/void',
    run: (context, _params, invoice) => {
      if (invoice.status !== 'open')
        throw invalidRequestError(
          `You can only pass in open invoices. This invoice (${invoice.id}) has a status of ${invoice.status}.`,
          { code: 'status_transition_invalid' },
        );
      return voidInvoiceOfSubscription(context, invoice);
    },
  }),
  invoicePayments.retrieve(),
  invoicePayments.list({
    filters: ['created', 'invoice', 'status'],
    serves: ['payment'],
    where: ({ payment }, params) => {
      const intent = params.payment?.payment_intent;
      return !intent || idOf(payment.payment_intent) === intent;
    },
  }),
];

/**
 * Finalizes an invoice if it is a draft, and attempts to collect it. Throws Stripe's error if the customer can't be
 * charged.
 */
function payInvoice(context: Context, before: Invoice, method: string | undefined): Invoice {
  if (before.status === 'paid') throw invalidRequestError('Invoice is already paid');
  if (before.status === 'void') throw invalidRequestError('Invoice is void and cannot be paid.');
  const invoice = before.status === 'draft' ? finalizeInvoice(context, before) : before;
  if (invoice.status === 'paid') return invoice;
  if (!method && !findDefaultMethod(context, getSubscriptionOfInvoice(context, invoice)))
    throw invalidRequestError(
      'There is no `default_payment_method` set on this Customer or Invoice. Please set a `default_payment_method`.',
    );
  const result = collectInvoice(context, invoice, { method, isAutomatic: false });
  if (result instanceof DeclinedError) throw result;
  if (result.status === 'open') throw actionRequiredError(getIntentOfInvoice(context, invoice.id));
  return result;
}

/** A DeclinedError, because the request's changes must be kept. */
const actionRequiredError = (intent: object) =>
  new DeclinedError(402, {
    type: 'card_error',
    code: 'invoice_payment_intent_requires_action',
    message:
      'This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with this invoice.',
    payment_intent: intent,
  });
