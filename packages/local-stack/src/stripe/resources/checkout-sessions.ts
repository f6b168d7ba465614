import type Stripe from 'stripe';
import { hasTaxLocation } from '../billing/line-amounts.ts';
import { createSession, expireSession } from '../checkout/create-session.ts';
import type { Context } from '../context.ts';
import { defineResource } from '../http/define-resource.ts';
import { getRow } from '../parameters/get-row.ts';
import { mergeMetadata } from '../parameters/merge-field.ts';
import type { CheckoutOrder, Tables } from '../state/tables.ts';
import { invalidRequestError, notServedError } from '../stripe-error.ts';
import type { Wire } from '../wire.ts';

const servedParams = [
  'automatic_tax',
  'billing_address_collection',
  'customer_update',
  'cancel_url',
  'customer',
  'discounts',
  'expires_at',
  'invoice_creation',
  'line_items',
  'metadata',
  'mode',
  'payment_intent_data',
  'subscription_data',
  'success_url',
  'tax_id_collection',
] as const;
type Params = Pick<Wire<Stripe.Checkout.SessionCreateParams>, (typeof servedParams)[number]>;

const sessions = defineResource({
  path: '/v1/checkout/sessions',
  object: 'CheckoutSession',
  table: 'checkoutSessions',
});

export const checkoutSessionCalls = [
  sessions.create({
    serves: servedParams,
    run: createSessionFromParams,
  }),
  sessions.retrieve(),
  sessions.action('Expire', {
    run: (context, _params, session) => {
      if (session.status !== 'open')
        throw invalidRequestError(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
        );
      return expireSession(context, session);
    },
  }),
  sessions.list({ filters: ['created', 'customer', 'status', 'subscription'] }),
];

const MINUTE = 60;
const DAY = 24 * 3600;

function createSessionFromParams(context: Context, params: Params): Tables['checkoutSessions'] {
  const { success_url: success, expires_at: expires = context.now() + DAY } = params;
  const mode = readMode(params.mode);
  if (!success)
    throw invalidRequestError('You must provide success_url.', { code: 'parameter_missing', param: 'success_url' });
  const after = expires - context.now();
  if (after < 30 * MINUTE || after > DAY)
    throw invalidRequestError('The `expires_at` timestamp must be between 30 minutes and 24 hours from now.', {
      param: 'expires_at',
    });
  return createSession(context, {
    mode,
    order: readOrder(context, mode, params),
    billing_address_collection: params.billing_address_collection ?? null,
    cancel_url: params.cancel_url ?? null,
    expires_at: expires,
    metadata: mergeMetadata({}, params.metadata),
    success_url: success,
    tax_id_collection: { enabled: params.tax_id_collection?.enabled ?? false, required: 'never' },
  });
}

function readMode(mode: Params['mode']): 'payment' | 'subscription' {
  if (mode === 'payment') return 'payment';
  if (mode === 'subscription') return 'subscription';
  throw notServedError('The double serves payment and subscription.', 'mode');
}

/**
 * Throws unless tax can be computed. The customer must have a valid address, or the address entered in Checkout must be
 * saved to the customer.
 */
function requireAddress(context: Context, { automatic_tax: tax, customer, customer_update: update }: Params): void {
  if (!tax?.enabled || update?.address === 'auto') return;
  if (!hasTaxLocation(getRow(context, 'customers', { id: customer ?? '', param: 'customer' })))
    throw invalidRequestError(
      "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set either `customer_update[address]` to 'auto' or `customer_update[shipping]` to 'auto' to save the address entered in Checkout to the Customer.",
      { code: 'customer_tax_location_invalid', param: 'automatic_tax' },
    );
}

/** Invoices with a tax ID must name the company. */
function requireName({ tax_id_collection: taxId, customer_update: update }: Params): void {
  if (!taxId?.enabled || update?.name === 'auto') return;
  throw invalidRequestError(
    'Tax ID collection requires updating business name on the customer. To enable tax ID collection for an existing customer, please set `customer_update[name]` to `auto`.',
    { param: 'customer_update[name]' },
  );
}

function readOrder(context: Context, mode: 'payment' | 'subscription', params: Params): Omit<CheckoutOrder, 'id'> {
  const { customer, discounts = [], invoice_creation: invoice, line_items: items = [] } = params;
  const [item] = items;
  if (!customer) throw notServedError('The double serves sessions of a customer.', 'customer');
  if (!item?.price || items.length > 1 || (item.quantity ?? 1) !== 1)
    throw notServedError('The double serves one price with a quantity of 1.', 'line_items');
  const isSubscription = mode === 'subscription';
  requireAddress(context, params);
  requireName(params);
  if (isSubscription && params.subscription_data?.billing_mode?.type !== 'flexible')
    throw notServedError('The double serves flexible.', 'subscription_data[billing_mode][type]');
  const data = isSubscription ? params.subscription_data : params.payment_intent_data;
  return {
    customer,
    collectsTax: params.automatic_tax?.enabled ?? false,
    savesAddress: params.customer_update?.address === 'auto',
    savesName: params.customer_update?.name === 'auto',
    price: item.price,
    discounts,
    metadata: mergeMetadata({}, data?.metadata),
    invoiceMetadata: invoice?.enabled ? mergeMetadata({}, invoice.invoice_data?.metadata) : null,
  };
}
