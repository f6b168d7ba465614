import type Stripe from 'stripe';
import { cancelCustomerSubscriptions } from '../billing/cancel-subscription.ts';
import { requireTaxLocation } from '../billing/line-amounts.ts';
import type { Context } from '../context.ts';
import { defineCall } from '../http/define-call.ts';
import { defineResource } from '../http/define-resource.ts';
import { makeId } from '../make-id.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf, mergeMetadata, mergeText, toAddress } from '../parameters/merge-field.ts';
import { fillNulls } from '../schemas.ts';
import type { Tables } from '../state/tables.ts';
import { invalidRequestError, notServedError } from '../stripe-error.ts';
import type { Wire } from '../wire.ts';

type Customer = Tables['customers'];

const servedParams = [
  'address',
  'balance',
  'description',
  'email',
  'invoice_settings',
  'metadata',
  'name',
  'phone',
  'preferred_locales',
  'tax',
  'tax_exempt',
] as const;
type Params = Pick<Wire<Stripe.CustomerUpdateParams>, (typeof servedParams)[number]>;

const customers = defineResource({ path: '/v1/customers', object: 'Customer', table: 'customers' });

export const customerCalls = [
  customers.create({
    serves: [...servedParams, 'test_clock'],
    run: (context, { test_clock: clock = null, ...params }) => {
      if (clock) requireClockCapacity(context, clock);
      const created = applyParams({ ...makeCustomer(context.now()), test_clock: clock }, params);
      if (params.tax) requireValidLocation(created, params.tax);
      return context.save('customers', 'customer.created', created);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/v1/customers/:id',
    params: 'CustomerRetrieveParams',
    reply: 'CustomerOrDeleted',
    run: (context, _params, id) => {
      const isDeleted = context.store.get('deletedCustomers', id);
      return isDeleted ? deletedCustomer(id) : getRow(context, 'customers', { id });
    },
  }),
  customers.update({
    serves: servedParams,
    run: (context, params, before) => {
      const changed = applyParams(before, params);
      if (params.tax) requireValidLocation(changed, params.tax);
      return context.save('customers', 'customer.updated', changed);
    },
  }),
  customers.delete({
    run: (context, _params, { id }) => deleteCustomer(context, id),
  }),
  customers.list({
    filters: ['created', 'email'],
    serves: ['test_clock'],
    where: ({ test_clock: clock }, params) => idOf(clock) === (params.test_clock ?? null),
  }),
];

/**
 * Checks the address immediately if the request asks for this. Otherwise, the address is checked when tax is computed.
 */
function requireValidLocation(customer: Customer, tax: NonNullable<Params['tax']>): void {
  if (tax.ip_address !== undefined) throw notServedError("The double doesn't locate IP addresses.", 'tax[ip_address]');
  if (tax.validate_location === 'immediately') requireTaxLocation(customer, 'address');
}

function requireClockCapacity(context: Context, id: string): void {
  getRow(context, 'testClocks', { id, param: 'test_clock' });
  const customers = context.store.list('customers').filter(({ test_clock: clock }) => idOf(clock) === id);
  if (customers.length >= 3)
    throw invalidRequestError('You cannot add more than 3 customers to a test clock.', { param: 'test_clock' });
}

/** Deletes a customer and cancels its subscriptions. Only the customer's ID is kept. */
export function deleteCustomer(context: Context, id: string): Wire<Stripe.DeletedCustomer> {
  const customer = getRow(context, 'customers', { id });
  cancelCustomerSubscriptions(context, id);
  context.store.remove('customers', id);
  context.store.put('deletedCustomers', { id });
  context.emit('customer.deleted', customer);
  return deletedCustomer(id);
}

const deletedCustomer = (id: string): Wire<Stripe.DeletedCustomer> => ({ id, object: 'customer', deleted: true });

const makeCustomer = (created: number): Customer =>
  fillNulls('Customer', {
    id: makeId('cus'),
    object: 'customer',
    address: null,
    balance: 0,
    created,
    currency: null,
    customer_account: null,
    delinquent: false,
    invoice_prefix: makeId('P').slice(-8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    tax_exempt: 'none',
    test_clock: null,
  });

/** An empty string clears a field. */
function applyParams(customer: Customer, params: Params): Customer {
  const { address, invoice_settings: settings } = params;
  return {
    ...customer,
    address: address ? toAddress(address) : address === undefined ? (customer.address ?? null) : null,
    balance: params.balance ?? customer.balance ?? 0,
    description: mergeText(params.description, customer.description),
    email: mergeText(params.email, customer.email),
    invoice_settings: {
      ...customer.invoice_settings,
      default_payment_method: mergeText(
        settings?.default_payment_method,
        idOf(customer.invoice_settings.default_payment_method),
      ),
      footer: mergeText(settings?.footer, customer.invoice_settings.footer),
      custom_fields:
        settings?.custom_fields === undefined
          ? (customer.invoice_settings.custom_fields ?? null)
          : settings.custom_fields || null,
    },
    metadata: mergeMetadata(customer.metadata, params.metadata),
    name: mergeText(params.name, customer.name),
    phone: mergeText(params.phone, customer.phone),
    preferred_locales: params.preferred_locales ?? customer.preferred_locales ?? [],
    tax_exempt: params.tax_exempt === undefined ? (customer.tax_exempt ?? 'none') : params.tax_exempt || 'none',
  };
}
