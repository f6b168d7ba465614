import { hasTaxLocation } from '../billing/apply-tax.ts';
import { createSubscription } from '../billing/create-subscription.ts';
import { redeemDiscounts } from '../billing/discounts.ts';
import { getIntentOfInvoice } from '../billing/find-invoice.ts';
import { createInvoice, finalFields, linkPayment } from '../billing/open-invoice.ts';
import { markPaid } from '../billing/settle-invoice.ts';
import type { Context } from '../context.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import { confirmIntent } from '../payments/confirm-intent.ts';
import { confirmSetup } from '../payments/confirm-setup.ts';
import { createPaymentIntent } from '../payments/create-payment-intent.ts';
import { createCard } from '../resources/create-card.ts';
import { createPaypal } from '../resources/create-paypal.ts';
import type { CheckoutOrder, Tables } from '../state/tables.ts';
import { amountFields } from './create-session.ts';
import { draftPaymentOrder } from './draft-order.ts';

type Session = Tables['checkoutSessions'];
type Payment = { method: Tables['paymentMethods']; isAuthenticated: boolean };

/** How a customer pays: with the number of a test card, or with PayPal. Companies add what is on their invoices. */
export type PaymentChoice = {
  number?: string | undefined;
  company?: string | undefined;
  taxId?: string | undefined;
};

/** The customer must pass 3-D Secure, or authorize the payment at PayPal, first. */
export class AuthenticationNeeded extends Error {}

/**
 * Pays an open checkout session, and creates what it sells. Throws Stripe's error if the card is declined, and
 * AuthenticationNeeded. The caller's transaction must undo the effects then.
 */
export function completeSession(
  context: Context,
  before: Session,
  { number, isAuthenticated, ...details }: PaymentChoice & { isAuthenticated: boolean },
): Session {
  const order = getRow(context, 'checkoutOrders', { id: before.id });
  if (order.savesAddress) saveAddress(context, order.customer);
  if (order.savesName) saveCompany(context, order.customer, details);
  const method = number === undefined ? createPaypal(context) : createCard(context, { number });
  const payment = { method, isAuthenticated };
  const created =
    before.mode === 'subscription' ? subscribe(context, order, payment) : payOnce(context, order, payment);
  const session = context.store.put('checkoutSessions', {
    ...before,
    ...created,
    ...(order.collectsTax && { automatic_tax: { ...before.automatic_tax, status: 'complete' } }),
    payment_status: created.amount_total === 0 ? 'no_payment_required' : 'paid',
    status: 'complete',
    url: null,
  });
  context.emit('checkout.session.completed', session);
  return session;
}

/** Stores the address that a customer would type, where there is none. */
function saveAddress({ store, emit }: Context, id: string): void {
  const customer = store.get('customers', id);
  if (!customer || hasTaxLocation(customer)) return;
  const before = { address: customer.address ?? null };
  emit('customer.updated', store.put('customers', { ...customer, address: testAddress }), before);
}

/** Stores what a company typed, as its next invoices have it. */
function saveCompany({ store, emit }: Context, id: string, { company, taxId }: Omit<PaymentChoice, 'number'>): void {
  const customer = store.get('customers', id);
  if (taxId) {
    const type = /^[A-Z]{2}/i.test(taxId) ? 'eu_vat' : 'us_ein';
    store.put('customerTaxIds', { id, taxIds: [{ type, value: taxId }] });
  }
  if (!customer || !company) return;
  const before = { name: customer.name ?? null };
  emit('customer.updated', store.put('customers', { ...customer, name: company }), before);
}

const testAddress = {
  city: 'San Francisco',
  country: 'US',
  line1: '354 Oyster Point Blvd',
  line2: null,
  postal_code: '94080',
  state: 'CA',
};

type Created = Pick<Session, 'amount_total' | 'invoice' | 'payment_intent' | 'subscription'> &
  ReturnType<typeof amountFields>;

function subscribe(context: Context, order: CheckoutOrder, { method, isAuthenticated }: Payment): Created {
  const { id, latest_invoice, pending_setup_intent } = createSubscription(context, { ...order, savesMethod: true });
  const invoice = getRow(context, 'invoices', { id: idOf(latest_invoice) ?? '' });
  if (invoice.status === 'open') {
    const intent = getIntentOfInvoice(context, invoice.id);
    requirePassed(confirmIntent(context, intent, { method, isOffSession: false, isAuthenticated }));
  } else if (pending_setup_intent) {
    const intent = getRow(context, 'setupIntents', { id: idOf(pending_setup_intent) ?? '' });
    requirePassed(confirmSetup(context, intent, { method, isAuthenticated }));
  }
  return { ...amountFields(invoice), invoice: invoice.id, payment_intent: null, subscription: id };
}

function payOnce(context: Context, order: CheckoutOrder, { method, isAuthenticated }: Payment): Created {
  const { draft, discounts } = draftPaymentOrder(context, order);
  redeemDiscounts(context, discounts);
  const { customer, metadata, invoiceMetadata } = order;
  const amount = draft.amount_due;
  const fields = { amount, currency: draft.currency, customer, metadata, payment_method: method.id };
  const intent = amount > 0 ? createPaymentIntent(context, fields) : null;
  if (intent) requirePassed(confirmIntent(context, intent, { method, isOffSession: false, isAuthenticated }));
  const payment_intent = intent?.id ?? null;
  const paid = { ...amountFields(draft), payment_intent, subscription: null };
  if (!invoiceMetadata) return { ...paid, invoice: null };
  const created = createInvoice(context, { ...draft, metadata: invoiceMetadata });
  const open = { ...created, ...finalFields(context, created), ending_balance: 0 };
  context.emit('invoice.finalized', context.store.put('invoices', open));
  if (intent) linkPayment(context, open, intent.id);
  return { ...paid, invoice: markPaid(context, { ...open, attempt_count: 1 }).id };
}

function requirePassed({ status }: { status: string }): void {
  if (status === 'requires_action') throw new AuthenticationNeeded();
}
