import { idOf } from '../parameters/merge-field.ts';
import type { Store } from '../state/open-store.ts';

type Include = (store: Store, id: string) => unknown;

/** Fields that Stripe sends only where they are expanded, by the type of their object. */
const onDemand: Record<string, Record<string, Include>> = {
  charge: { refunds: listRefunds },
  coupon: { applies_to: (store, id) => store.get('couponScopes', id)?.appliesTo },
  invoice: { confirmation_secret: findConfirmationSecret, payments: listInvoicePayments },
};

/** Adds a field to an object of a reply, if it is one that must be asked for. Returns false if it isn't. */
export function includeField(store: Store, node: object, key: string): boolean {
  const { id, object } = { id: '', object: '', ...node };
  const read = onDemand[object]?.[key];
  const value = read?.(store, id);
  if (value !== undefined) Reflect.set(node, key, structuredClone(value));
  return read !== undefined;
}

function listRefunds(store: Store, charge: string) {
  const data = store.list('refunds').filter((refund) => idOf(refund.charge) === charge);
  return { object: 'list', data, has_more: false, url: `/v1/charges/${charge}/refunds` };
}

function listInvoicePayments(store: Store, invoice: string) {
  const data = store.list('invoicePayments').filter((payment) => idOf(payment.invoice) === invoice);
  return { object: 'list', data, has_more: false, url: '/v1/invoice_payments' };
}

/** Null in drafts and where nothing is due. */
function findConfirmationSecret(store: Store, invoice: string) {
  const payment = store.list('invoicePayments').find((one) => idOf(one.invoice) === invoice);
  const intent = store.get('paymentIntents', idOf(payment?.payment.payment_intent) ?? '');
  return intent?.client_secret ? { client_secret: intent.client_secret, type: 'payment_intent' } : null;
}
