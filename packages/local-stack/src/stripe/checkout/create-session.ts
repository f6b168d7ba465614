import { previewSubscription } from '../billing/create-subscription.ts';
import { type Discount, makeDiscounts } from '../billing/discounts.ts';
import { makeLine } from '../billing/invoice-lines.ts';
import { type Invoice, makeInvoice } from '../billing/make-invoice.ts';
import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import { getRow } from '../parameters/get-row.ts';
import { listMethodTypes } from '../payments/method-settings.ts';
import { fillNulls } from '../schemas.ts';
import type { CheckoutOrder, Tables } from '../state/tables.ts';
import { invalidRequestError } from '../stripe-error.ts';

type Session = Tables['checkoutSessions'];

interface NewSession
  extends Pick<
    Session,
    'billing_address_collection' | 'cancel_url' | 'expires_at' | 'metadata' | 'success_url' | 'tax_id_collection'
  > {
  mode: 'payment' | 'subscription';
  order: Omit<CheckoutOrder, 'id'>;
}

/** Creates an open checkout session. The double serves the page at the session's URL. */
export function createSession(context: Context, { mode, order, ...fields }: NewSession): Session {
  const id = makeId('cs_test');
  const isSubscription = mode === 'subscription';
  const draft = isSubscription ? previewSubscription(context, order) : draftPaymentOrder(context, order).draft;
  const { disabled_reason: _reason, ...automatic_tax } = draft.automatic_tax;
  context.store.put('checkoutOrders', { ...order, id });
  const session = fillNulls('CheckoutSession', {
    ...amountFields(draft),
    ...fields,
    id,
    object: 'checkout.session',
    automatic_tax,
    created: context.now(),
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: order.customer,
    discounts: order.discounts.map(({ coupon = null, promotion_code = null }) => ({ coupon, promotion_code })),
    invoice_creation: isSubscription ? null : toInvoiceCreation(order),
    livemode: false,
    mode,
    payment_method_collection: isSubscription ? 'always' : 'if_required',
    payment_method_types: listMethodTypes(context),
    payment_status: draft.total === 0 ? 'no_payment_required' : 'unpaid',
    shipping_options: [],
    status: 'open',
    ui_mode: 'hosted_page',
    url: `${context.origin()}/checkout/${id}`,
  });
  return context.store.put('checkoutSessions', session);
}

/** Returns the amount fields of a checkout session, computed from the invoice for its order. */
export const amountFields = ({ subtotal, amount_due: due, total_excluding_tax: net, total, currency }: Invoice) => ({
  amount_subtotal: subtotal,
  amount_total: due,
  currency,
  total_details: {
    amount_discount: subtotal - (net ?? total),
    amount_shipping: 0,
    amount_tax: total - (net ?? total),
  },
});

const toInvoiceCreation = ({
  invoiceMetadata,
}: Pick<CheckoutOrder, 'invoiceMetadata'>): Session['invoice_creation'] => ({
  enabled: invoiceMetadata !== null,
  invoice_data: {
    account_tax_ids: null,
    custom_fields: null,
    description: null,
    footer: null,
    issuer: null,
    metadata: invoiceMetadata,
    rendering_options: null,
  },
});

/** Returns the URL to which the checkout page redirects after the payment. */
export const successUrlOf = ({ id, success_url: url }: Session): string =>
  (url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', id);

type Order = Pick<CheckoutOrder, 'collectsTax' | 'customer' | 'discounts' | 'price'>;

/** Returns the invoice and discounts for a one-time order without storing them. Doesn't use the customer's balance. */
export function draftPaymentOrder(context: Context, order: Order): { draft: Invoice; discounts: Discount[] } {
  const { customer, collectsTax } = order;
  const price = getRow(context, 'prices', { id: order.price, param: 'line_items[0][price]' });
  if (price.recurring)
    throw invalidRequestError(
      'You must provide at least one recurring price in `subscription` mode when using prices. You specified `payment` mode but passed a recurring price.',
      { param: 'mode' },
    );
  const now = context.now();
  const line = makeLine(context, {
    price,
    period: { start: now, end: now },
    subscription: null,
    subscriptionItem: null,
  });
  const discounts = makeDiscounts(context, order.discounts, { customer, subscription: null });
  const draft = makeInvoice(context, {
    customer,
    subscription: null,
    lines: [line],
    discounts,
    reason: 'manual',
    collectsTax,
  });
  const { total } = draft;
  return { draft: { ...draft, amount_due: total, amount_remaining: total, starting_balance: 0 }, discounts };
}

/** Expires an open checkout session that wasn't paid. */
export function expireSession(context: Context, before: Tables['checkoutSessions']): Tables['checkoutSessions'] {
  return context.save('checkoutSessions', 'checkout.session.expired', { ...before, status: 'expired', url: null });
}
