import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { defineCall } from '../http/define-call.ts';
import { defineResource } from '../http/define-resource.ts';
import { listPage, matchesFilter } from '../http/list-page.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf, mergeMetadata, mergeText, toAddress } from '../parameters/merge-field.ts';
import { cardError } from '../payments/card-outcomes.ts';
import type { Tables } from '../state/tables.ts';
import { invalidRequestError } from '../stripe-error.ts';
import type { Wire } from '../wire.ts';
import { createCard, createPaypal } from './create-payment-method.ts';
import { findTestCard } from './test-cards.ts';

type PaymentMethod = Tables['paymentMethods'];

const paymentMethods = defineResource({
  path: '/v1/payment_methods',
  object: 'PaymentMethod',
  table: 'paymentMethods',
});

export const paymentMethodCalls = [
  paymentMethods.create({
    serves: ['billing_details', 'card', 'metadata', 'paypal', 'type'],
    run: (context, params) => context.store.put('paymentMethods', applyParams(createMethod(context, params), params)),
  }),
  paymentMethods.retrieve(),
  paymentMethods.update({
    serves: ['billing_details', 'metadata'],
    run: (context, params, before) => {
      if (!before.customer)
        throw invalidRequestError('You must save this PaymentMethod to a customer before you can update it.');
      return context.save('paymentMethods', 'payment_method.updated', applyParams(before, params));
    },
  }),
  defineCall({
    method: 'POST',
    path: '/v1/payment_methods/:id/attach',
    params: 'PaymentMethodAttachParams',
    serves: ['customer'],
    reply: 'PaymentMethod',
    run: (context, { customer = '' }, id) => {
      getRow(context, 'customers', { id: customer, param: 'customer' });
      return attachPaymentMethod(context, resolvePaymentMethod(context, { id }), customer);
    },
  }),
  paymentMethods.action('Detach', {
    run: (context, _params, before) => {
      const customer = context.store.get('customers', idOf(before.customer) ?? '');
      if (!customer) throw invalidRequestError('The payment method you provided is not attached to a customer.');
      const { default_payment_method: current } = customer.invoice_settings;
      if (idOf(current) === before.id)
        context.store.put('customers', {
          ...customer,
          invoice_settings: { ...customer.invoice_settings, default_payment_method: null },
        });
      const detached = context.store.put('paymentMethods', { ...before, customer: null });
      context.emit('payment_method.detached', detached, { customer: customer.id });
      return detached;
    },
  }),
  defineCall({
    method: 'GET',
    path: '/v1/customers/:id/payment_methods',
    params: 'CustomerListPaymentMethodsParams',
    serves: ['type'],
    reply: 'PaymentMethodList',
    run: (context, params, id) => {
      getRow(context, 'customers', { id });
      const rows = context.store
        .list('paymentMethods')
        .filter(({ customer, type }) => idOf(customer) === id && matchesFilter(type, params.type));
      return listPage(rows, params, `/v1/customers/${id}/payment_methods`);
    },
  }),
  paymentMethods.list({
    filters: ['customer', 'type'],
    where: ({ customer }) => customer !== null,
  }),
];

/**
 * Returns a stored payment method. If the ID is an alias of a test card, such as `pm_card_visa`, creates a new payment
 * method.
 */
export function resolvePaymentMethod(context: Context, reference: { id: string; param?: string }): PaymentMethod {
  if (!context.store.get('paymentMethods', reference.id) && findTestCard(reference.id))
    return createCard(context, { number: reference.id });
  return getRow(context, 'paymentMethods', reference);
}

/** Throws if the payment method belongs to another customer or can't be saved. */
export function attachPaymentMethod(context: Context, method: PaymentMethod, customer: string): PaymentMethod {
  const holder = idOf(method.customer);
  if (holder === customer) return method;
  if (holder)
    throw invalidRequestError('The payment method you provided has already been attached to a customer.', {
      code: 'payment_method_unexpected_state',
    });
  const decline = context.store.get('cardFates', method.id)?.onSetup;
  if (decline) throw cardError(decline);
  return context.save('paymentMethods', 'payment_method.attached', { ...method, customer });
}

type CreateParams = Pick<Wire<Stripe.PaymentMethodCreateParams>, 'card' | 'type'>;

function createMethod(context: Context, { type, card }: CreateParams): PaymentMethod {
  if (type === 'paypal') return createPaypal(context);
  if (type !== 'card' || !card?.number)
    throw invalidRequestError('The double creates payment methods from card numbers, and PayPal.', { param: 'type' });
  return createCard(context, { number: card.number, exp_month: card.exp_month, exp_year: card.exp_year });
}

type Params = Pick<Wire<Stripe.PaymentMethodUpdateParams>, 'billing_details' | 'metadata'>;

function applyParams(method: PaymentMethod, { billing_details: input, metadata }: Params): PaymentMethod {
  const { billing_details: details } = method;
  return {
    ...method,
    billing_details: {
      ...details,
      address: input?.address ? toAddress(input.address) : details.address,
      email: mergeText(input?.email, details.email),
      name: mergeText(input?.name, details.name),
      phone: mergeText(input?.phone, details.phone),
    },
    metadata: mergeMetadata(method.metadata, metadata),
  };
}
