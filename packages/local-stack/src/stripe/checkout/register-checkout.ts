import type { FastifyInstance, FastifyReply } from 'fastify';
import * as z from 'zod';
import { escapeHtml } from '../../escape-html.ts';
import { createSubscription } from '../billing/create-subscription.ts';
import { redeemDiscounts } from '../billing/discounts.ts';
import { getIntentOfInvoice } from '../billing/find-invoice.ts';
import { hasTaxLocation } from '../billing/line-amounts.ts';
import { createInvoice, linkPayment, makeFinalizedFields } from '../billing/open-invoice.ts';
import { markPaid } from '../billing/settle-invoice.ts';
import type { Context, RouteOptions } from '../context.ts';
import { htmlPage, sendPage } from '../pages/html-page.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import { confirmAndRecordPayment } from '../payments/confirm-payment-intent.ts';
import { confirmSubscriptionSetup } from '../payments/confirm-setup-intent.ts';
import { createPaymentIntent } from '../payments/create-intent.ts';
import { isPaypalOn } from '../payments/method-settings.ts';
import { createCard, createPaypal } from '../resources/create-payment-method.ts';
import type { CheckoutOrder, Tables } from '../state/tables.ts';
import { StripeError } from '../stripe-error.ts';
import { amountFields, draftPaymentOrder, successUrlOf } from './create-session.ts';

type Session = Tables['checkoutSessions'];

const formSchema = z.object({
  number: z.string().optional(),
  company: z.string().trim().optional(),
  taxId: z.string().trim().optional(),
  authentication: z.enum(['passed', 'failed']).optional(),
});

type Route = { Params: { id: string } };

/** Adds the pages on which customers pay for checkout sessions. */
export function registerCheckout(app: FastifyInstance, { context, onStored }: RouteOptions): void {
  app.get<Route>('/checkout/:id', ({ params }, reply) => {
    const session = findOpenSession(context, params.id);
    return session
      ? sendPage(reply, checkoutPage(toPageState(context, session)))
      : sendClosedPage(context, reply, params.id);
  });
  app.post<Route>('/checkout/:id', ({ params, body }, reply) => {
    const session = findOpenSession(context, params.id);
    const form = formSchema.safeParse(body).data;
    if (!session || !form) return sendClosedPage(context, reply, params.id);
    if (form.authentication === 'failed')
      return sendPage(reply, checkoutPage({ ...toPageState(context, session), error: authenticationFailedMessage }));
    try {
      const { authentication, ...choice } = form;
      const input = { ...choice, isAuthenticated: authentication === 'passed' };
      const paid = context.store.transaction(() => completeSession(context, session, input));
      onStored();
      return reply.redirect(successUrlOf(paid), 303);
    } catch (error) {
      if (error instanceof AuthenticationNeeded) return sendPage(reply, authenticationPage(form));
      if (!(error instanceof StripeError)) throw error;
      return sendPage(reply, checkoutPage({ ...toPageState(context, session), error: error.message }));
    }
  });
}

const authenticationFailedMessage = "We couldn't authenticate your card. Try again or use another card.";

/**
 * Redirects to the success URL if the session has been paid, for example after the browser's Back button or in a second
 * tab. Otherwise sends the page for closed sessions.
 */
function sendClosedPage({ store }: Context, reply: FastifyReply, id: string) {
  const session = store.get('checkoutSessions', id);
  return session?.status === 'complete'
    ? reply.redirect(successUrlOf(session), 303)
    : sendPage(reply.code(410), closedPage());
}

function findOpenSession({ store }: Context, id: string): Session | undefined {
  const session = store.get('checkoutSessions', id);
  return session?.status === 'open' ? session : undefined;
}

function toPageState(context: Context, session: Session) {
  const { store } = context;
  const price = store.get('prices', store.get('checkoutOrders', session.id)?.price ?? '');
  return {
    session,
    product: store.get('products', idOf(price?.product) ?? '')?.name ?? 'Order',
    hasPaypal: isPaypalOn(context),
  };
}

interface PageState {
  session: Session;
  product: string;
  error?: string | undefined;
  hasPaypal: boolean;
}

function checkoutPage({ session, product, error, hasPaypal }: PageState): string {
  const amount = `$${((session.amount_total ?? 0) / 100).toFixed(2)}`;
  const action = session.mode === 'subscription' ? 'Subscribe' : 'Pay';
  const cancel = session.cancel_url ? `<p><a href="${escapeHtml(session.cancel_url)}">Cancel</a></p>` : '';
  return renderPage(
    `${action} with a test card`,
    `<p>${escapeHtml(product)}: <strong>${amount}</strong></p>
${session.automatic_tax.status === 'requires_location_inputs' ? '<p>Tax is added to it, for a test address in California.</p>' : ''}
${error ? `<p role="alert">${escapeHtml(error)}</p>` : ''}
<form method="post"><label>Card number <input name="number" inputmode="numeric" autocomplete="off" required value="4242 4242 4242 4242"></label>
<p>Use one of Stripe's test numbers. Expiry and security code aren't needed.</p>
${session.tax_id_collection?.enabled ? companyFields : ''}<button>${action}: ${amount}</button></form>
${hasPaypal ? paypalForm : ''}${cancel}`,
  );
}

const companyFields = `<p><label>Business name (optional) <input name="company" autocomplete="organization"></label></p>
<p><label>Tax ID (optional) <input name="taxId" autocomplete="off"></label></p>
`;

const paypalForm = `<form method="post"><p>or</p><button>Pay with PayPal</button></form>`;

const authenticationPage = ({ number, company, taxId }: PaymentChoice): string =>
  renderPage(
    'Authenticate the payment',
    `<p>${number === undefined ? 'PayPal asks for your consent.' : 'This card asks for 3-D Secure.'}</p>
<form method="post">${Object.entries({ number, company, taxId })
      .map(([name, value]) =>
        value === undefined ? '' : `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
      )
      .join('')}
<button name="authentication" value="passed">Complete authentication</button>
<button name="authentication" value="failed">Fail authentication</button></form>`,
  );

const closedPage = (): string =>
  renderPage('Checkout closed', '<p>This checkout has expired. Go back to start again.</p>');

const renderPage = (title: string, body: string) => htmlPage({ title, body: `<h1>${title}</h1>${body}` });

type Payment = { method: Tables['paymentMethods']; isAuthenticated: boolean };

/**
 * A customer's input. `number` is a test card number, or undefined for PayPal. Companies can add a name and a tax ID
 * for their invoices.
 */
type PaymentChoice = {
  number?: string | undefined;
  company?: string | undefined;
  taxId?: string | undefined;
};

/** The customer must first pass 3-D Secure or authorize the payment with PayPal. */
class AuthenticationNeeded extends Error {}

/**
 * Pays an open checkout session, and creates the subscription or payment that it sells. Throws Stripe's error if the
 * card is declined, and AuthenticationNeeded if the customer must authenticate. Must run in a transaction, which undoes
 * the changes if this function throws.
 */
function completeSession(
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
  return context.save('checkoutSessions', 'checkout.session.completed', {
    ...before,
    ...created,
    ...(order.collectsTax && { automatic_tax: { ...before.automatic_tax, status: 'complete' } }),
    payment_status: created.amount_total === 0 ? 'no_payment_required' : 'paid',
    status: 'complete',
    url: null,
  });
}

/**
 * Stores a test address instead of the address that a customer would enter in Checkout. No-op if the customer already
 * has a valid address.
 */
function saveAddress({ store, emit }: Context, id: string): void {
  const customer = store.get('customers', id);
  if (!customer || hasTaxLocation(customer)) return;
  const before = { address: customer.address ?? null };
  emit('customer.updated', store.put('customers', { ...customer, address: testAddress }), before);
}

/** Stores the name and tax ID that a company has entered. They appear on its next invoices. */
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

type CreatedPayment = Pick<Session, 'amount_total' | 'invoice' | 'payment_intent' | 'subscription'> &
  ReturnType<typeof amountFields>;

function subscribe(context: Context, order: CheckoutOrder, { method, isAuthenticated }: Payment): CreatedPayment {
  const { id, latest_invoice, pending_setup_intent } = createSubscription(context, { ...order, savesMethod: true });
  const invoice = getRow(context, 'invoices', { id: idOf(latest_invoice) ?? '' });
  if (invoice.status === 'open') {
    const intent = getIntentOfInvoice(context, invoice.id);
    requireAuthenticated(confirmAndRecordPayment(context, intent, { method, isOffSession: false, isAuthenticated }));
  } else if (pending_setup_intent) {
    const intent = getRow(context, 'setupIntents', { id: idOf(pending_setup_intent) ?? '' });
    requireAuthenticated(confirmSubscriptionSetup(context, intent, { method, isAuthenticated }));
  }
  return { ...amountFields(invoice), invoice: invoice.id, payment_intent: null, subscription: id };
}

function payOnce(context: Context, order: CheckoutOrder, { method, isAuthenticated }: Payment): CreatedPayment {
  const { draft, discounts } = draftPaymentOrder(context, order);
  redeemDiscounts(context, discounts);
  const { customer, metadata, invoiceMetadata } = order;
  const amount = draft.amount_due;
  const fields = { amount, currency: draft.currency, customer, metadata, payment_method: method.id };
  const intent = amount > 0 ? createPaymentIntent(context, fields) : null;
  if (intent)
    requireAuthenticated(confirmAndRecordPayment(context, intent, { method, isOffSession: false, isAuthenticated }));
  const payment_intent = intent?.id ?? null;
  const paid = { ...amountFields(draft), payment_intent, subscription: null };
  if (!invoiceMetadata) return { ...paid, invoice: null };
  const created = createInvoice(context, { ...draft, metadata: invoiceMetadata });
  const open = { ...created, ...makeFinalizedFields(context, created), ending_balance: 0 };
  context.save('invoices', 'invoice.finalized', open);
  if (intent) linkPayment(context, open, intent.id);
  return { ...paid, invoice: markPaid(context, { ...open, attempt_count: 1 }).id };
}

function requireAuthenticated({ status }: { status: string }): void {
  if (status === 'requires_action') throw new AuthenticationNeeded();
}
