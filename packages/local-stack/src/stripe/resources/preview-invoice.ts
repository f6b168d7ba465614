import type Stripe from 'stripe';
import { isEnded } from '../billing/cancel-subscription.ts';
import { previewChange } from '../billing/change-price.ts';
import { previewSubscription } from '../billing/create-subscription.ts';
import { draftRenewal } from '../billing/draft-renewal.ts';
import type { Invoice } from '../billing/make-invoice.ts';
import { applyNextPhase } from '../billing/schedules.ts';
import type { Context } from '../context.ts';
import { defineCall } from '../http/define-call.ts';
import { getRow } from '../parameters/get-row.ts';
import { readPriceChange } from '../parameters/read-price-change.ts';
import { invalidRequest, notServed, StripeError } from '../stripe-error.ts';
import type { Wire } from '../wire.ts';

type Params = Pick<
  Wire<Stripe.InvoiceCreatePreviewParams>,
  'automatic_tax' | 'customer' | 'discounts' | 'subscription' | 'subscription_details'
>;

export const previewInvoiceCall = defineCall({
  method: 'POST',
  path: '/v1/invoices/create_preview',
  params: 'InvoiceCreatePreviewParams',
  serves: ['automatic_tax', 'customer', 'discounts', 'subscription', 'subscription_details'],
  reply: 'Invoice',
  run: (context, params) => {
    const preview = makePreview(context, params);
    return { ...preview, id: `upcoming_${preview.id}` };
  },
});

function makePreview(context: Context, params: Params): Invoice {
  const { customer, subscription: id, subscription_details: details, discounts } = params;
  if (!id) {
    if (!customer || details?.items?.length !== 1)
      throw invalidRequest('You must provide a subscription, or a customer with one item of subscription_details.');
    const collectsTax = params.automatic_tax?.enabled ?? false;
    const { price } = details.items[0] ?? {};
    return previewSubscription(context, { customer, price, discounts: discounts || [], collectsTax });
  }
  if (params.automatic_tax) throw notServed('The subscription decides whether tax is computed.', 'automatic_tax');
  const subscription = getRow(context, 'subscriptions', { id, param: 'subscription' });
  if (details) return previewChange(context, subscription, readPriceChange(subscription, { ...details, discounts }));
  if (discounts !== undefined)
    throw notServed("The double doesn't preview renewals with other discounts.", 'discounts');
  if (isEnded(subscription) || subscription.cancel_at_period_end) throw noUpcoming(id);
  return { ...draftRenewal(context, applyNextPhase(context, subscription)), billing_reason: 'upcoming' };
}

const noUpcoming = (id: string) =>
  new StripeError(404, {
    type: 'invalid_request_error',
    code: 'invoice_upcoming_none',
    message: `No upcoming invoices for subscription: ${id}`,
  });
