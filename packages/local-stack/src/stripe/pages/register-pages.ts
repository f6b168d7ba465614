import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { Context } from '../context.ts';
import type { Deliverer, DeliveryPlan } from '../events/open-deliverer.ts';
import { parseBody } from '../http/parse-body.ts';
import { idOf } from '../parameters/merge-field.ts';
import { type CardOutcome, cardOutcomeSchema, findCardOutcome, setCardOutcome } from '../payments/card-outcomes.ts';
import { closeDispute, findDispute, openDispute } from '../payments/dispute-charge.ts';
import type { Delivery, StoredEvent, Tables } from '../state/tables.ts';
import { StripeError } from '../stripe-error.ts';
import { advanceCustomer } from '../time/advance-customer.ts';
import type { Scheduler } from '../time/open-scheduler.ts';
import { type Html, html, layout, sendPage } from './html-page.ts';
import {
  describeEnd,
  describeMethod,
  describePrice,
  formatMoney,
  formatTime,
  nameOf,
  paymentMethodsOf,
  subscriptionsOf,
} from './texts.ts';

interface PagesOptions {
  context: Context;
  deliverer: Deliverer;
  scheduler: Scheduler;
}

type CustomerRoute = { Params: { id: string } };

const steps = {
  day: { seconds: 86_400 },
  period_end: { until: 'period_end' },
  payment_attempt: { until: 'payment_attempt' },
} as const;
const stepSchema = z.object({ step: z.enum(['day', 'period_end', 'payment_attempt']) });
const deliverySchema = z.object({
  mode: z.enum(['send', 'hold', 'drop']),
  delayS: z.coerce.number().min(0).max(86_400),
});

/** Adds the pages for inspecting and controlling the double. The pages work without scripts. */
export function registerPages(app: FastifyInstance, options: PagesOptions): void {
  app.register((pages, _options, done) => {
    pages.addHook('onRequest', async ({ method, headers }) => {
      if (method === 'POST') requireOwnForm(headers);
    });
    registerCustomerPages(pages, options);
    registerDisputeForm(pages, options);
    registerEventForms(pages, options.deliverer);
    done();
  });
}

/** Throws if a page from another origin submitted the form. */
function requireOwnForm({ 'sec-fetch-site': site = 'none' }: { 'sec-fetch-site'?: unknown }): void {
  if (site === 'cross-site' || site === 'same-site')
    throw new StripeError(403, { type: 'invalid_request_error', message: 'This form is of another site.' });
}

function registerCustomerPages(app: FastifyInstance, { context, deliverer, scheduler }: PagesOptions): void {
  const { store } = context;
  app.get('/', (_request, reply) => sendPage(reply, overviewPage(context, deliverer.plan())));
  app.get<CustomerRoute>('/customers/:id', ({ params }, reply) => {
    const customer = store.get('customers', params.id);
    return customer ? sendPage(reply, customerPage(context, { customer })) : sendPage(reply.code(404), missingPage());
  });
  app.post<CustomerRoute>('/customers/:id/time', ({ params, body }, reply) => {
    const customer = store.get('customers', params.id);
    if (!customer) return sendPage(reply.code(404), missingPage());
    const { step } = parseBody(stepSchema, body);
    try {
      store.transaction(() => advanceCustomer(context, params.id, steps[step]));
    } catch (error) {
      if (!(error instanceof StripeError)) throw error;
      return sendPage(reply, customerPage(context, { customer, error: error.message }));
    }
    scheduler.runDue();
    deliverer.planNew();
    return reply.redirect(`/customers/${params.id}`, 303);
  });
  app.post<{ Params: { id: string; method: string } }>('/customers/:id/methods/:method', ({ params, body }, reply) => {
    const { outcome } = parseBody(z.object({ outcome: cardOutcomeSchema }), body);
    store.transaction(() => setCardOutcome(context, params.method, outcome));
    return reply.redirect(`/customers/${params.id}`, 303);
  });
}

type ChargeRoute = { Params: { id: string; charge: string } };
const disputeSchema = z.object({ action: z.enum(['open', 'lost', 'won']) });

function registerDisputeForm(app: FastifyInstance, { context, deliverer }: PagesOptions): void {
  app.post<ChargeRoute>('/customers/:id/charges/:charge/dispute', ({ params, body }, reply) => {
    const { action } = parseBody(disputeSchema, body);
    context.store.transaction(() => {
      if (action === 'open') openDispute(context, params.charge);
      else closeDispute(context, findDispute(context, params.charge)?.id ?? '', { status: action });
    });
    deliverer.planNew();
    return reply.redirect(`/customers/${params.id}`, 303);
  });
}

function registerEventForms(app: FastifyInstance, deliverer: Deliverer): void {
  app.post('/deliveries', ({ body }, reply) => {
    const { mode, delayS } = parseBody(deliverySchema, body);
    deliverer.setPlan({ mode, delayMs: Math.round(delayS * 1_000) });
    return reply.redirect('/', 303);
  });
  app.post('/deliveries/release', async (_request, reply) => {
    await deliverer.release('created');
    return reply.redirect('/', 303);
  });
  app.post<CustomerRoute>('/events/:id/resend', async ({ params }, reply) => {
    await deliverer.resend(params.id);
    return reply.redirect('/', 303);
  });
}

const missingPage = (): string =>
  layout('Not found', html`<h1>Not found</h1><p>This customer doesn't exist. <a href="/">All customers</a></p>`);

const maxCustomers = 100;

function overviewPage(context: Context, plan: DeliveryPlan): string {
  const customers = context.store.list('customers');
  const rows = customers.slice(0, maxCustomers).map((customer) => customerRow(context, customer));
  const table = html`<div class="scroll"><table><thead><tr><th>Customer</th><th>Subscription</th><th>Payment methods</th></tr></thead><tbody>${rows}</tbody></table></div>`;
  const empty = html`<p>No customers yet. They appear when somebody buys a plan.</p>`;
  const more =
    customers.length > maxCustomers
      ? html`<p class="muted">The latest ${maxCustomers} of ${customers.length}.</p>`
      : undefined;
  return layout(
    'Customers',
    html`<h1>Stripe double</h1><p>Open a customer to decide what its card does, and to let time pass.</p>
<h2>Customers</h2>${customers.length > 0 ? table : empty}${more}${eventsSection(context, plan)}`,
  );
}

function customerRow(context: Context, customer: Tables['customers']): Html {
  const [subscription] = subscriptionsOf(context, customer.id);
  const plan = subscription
    ? html`${describePrice(context, subscription)}<br><span class="muted">${subscription.status}. ${describeEnd(subscription)}</span>`
    : 'None';
  const methods = paymentMethodsOf(context, customer.id).map(describeMethod).join(', ');
  return html`<tr><td><a href="/customers/${customer.id}">${nameOf(customer)}</a></td><td>${plan}</td><td>${methods || 'None'}</td></tr>`;
}

const maxEvents = 30;
const modes = [
  ['send', 'Send'],
  ['hold', 'Hold until released'],
  ['drop', 'Drop'],
] as const;

function eventsSection({ store }: Context, plan: DeliveryPlan): Html {
  const deliveries = store.list('deliveries');
  const held = deliveries.filter(({ status }) => status === 'held').length;
  const rows = store
    .list('events')
    .slice(0, maxEvents)
    .map((event) =>
      eventRow(
        event,
        deliveries.filter((delivery) => delivery.event === event.id),
      ),
    );
  const options = modes.map(
    ([value, label]) =>
      html`<option value="${value}"${plan.mode === value ? SELECTED_ATTRIBUTE : undefined}>${label}</option>`,
  );
  return html`<h2>Events</h2><form class="row" method="post" action="/deliveries">
<label>New events<br><select name="mode">${options}</select></label>
<label>Delay in seconds<br><input type="number" name="delayS" min="0" max="86400" value="${plan.delayMs / 1_000}"></label>
<button>Save</button></form>
<form class="row" method="post" action="/deliveries/release"><button>Release ${held} held ${held === 1 ? 'event' : 'events'}</button></form>
<div class="scroll"><table><thead><tr><th>Created</th><th>Event</th><th>Delivery</th><th>Action</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

const SELECTED_ATTRIBUTE = html` selected`;

function eventRow({ id, type, created, data }: StoredEvent, deliveries: readonly Delivery[]): Html {
  const states = deliveries.map(({ status, attempts }) =>
    attempts > 1 ? `${status} after ${attempts} attempts` : status,
  );
  const object = 'id' in data.object ? String(data.object.id) : '';
  return html`<tr><td>${formatTime(created)}</td><td>${type}<br><span class="muted">${object}</span></td><td>${states.join(', ') || 'No endpoint'}</td>
<td><form method="post" action="/events/${id}/resend"><button aria-label="Resend ${type} of ${object}">Resend</button></form></td></tr>`;
}

const outcomes: Record<CardOutcome, string> = {
  succeeds: 'Succeeds',
  declined: 'Is declined',
  insufficient_funds: 'Has insufficient funds',
  authentication: 'Asks for 3-D Secure',
};

interface CustomerInput {
  customer: Tables['customers'];
  error?: string | undefined;
}

function customerPage(context: Context, { customer, error }: CustomerInput): string {
  const { id } = customer;
  const invoices = context.store.list('invoices').filter((invoice) => idOf(invoice.customer) === id);
  const subscriptions = subscriptionsOf(context, id);
  const methods = paymentMethodsOf(context, id);
  return layout(
    nameOf(customer),
    html`<p><a href="/">All customers</a></p><h1>${nameOf(customer)}</h1><p class="muted">${id}</p>
${error === undefined ? undefined : html`<p role="alert">${error}</p>`}
<h2>Subscriptions</h2>${subscriptions.length > 0 ? subscriptions.map((one) => subscriptionLine(context, one)) : html`<p>None</p>`}
<h2>Time</h2>${timeForms(context, id)}
<h2>Payment methods</h2>${methods.length > 0 ? methods.map((method) => methodForm(context, id, method)) : html`<p>None is saved.</p>`}
<h2>Invoices</h2>${invoiceTable(invoices)}${chargesSection(context, id)}`,
  );
}

const subscriptionLine = (context: Context, subscription: Tables['subscriptions']): Html =>
  html`<p>${describePrice(context, subscription)}<br><span class="muted">${subscription.status}. ${describeEnd(subscription)}</span></p>`;

function timeForms({ store }: Context, id: string): Html {
  const days = Math.floor((store.get('customerClocks', id)?.aheadSeconds ?? 0) / 86_400);
  const steps = [
    ['day', 'Let a day pass'],
    ['period_end', "Go to the period's end"],
    ['payment_attempt', 'Go to the next payment attempt'],
  ];
  const buttons = steps.map(([value, label]) => html`<button name="step" value="${value}">${label}</button>`);
  return html`<p>${days} ${days === 1 ? 'day has' : 'days have'} passed for this customer only. All its times have moved back.</p>
<form class="row" method="post" action="/customers/${id}/time">${buttons}</form>`;
}

function methodForm(context: Context, customer: string, method: Tables['paymentMethods']): Html {
  const current = findCardOutcome(context, method.id);
  const other = current ? undefined : html`<option selected disabled>As its number says</option>`;
  const options = Object.entries(outcomes).map(
    ([value, label]) =>
      html`<option value="${value}"${value === current ? SELECTED_ATTRIBUTE : undefined}>${label}</option>`,
  );
  return html`<form class="row" method="post" action="/customers/${customer}/methods/${method.id}">
<label>${describeMethod(method)}<br><select name="outcome">${other}${options}</select></label><button>Save</button></form>`;
}

function invoiceTable(invoices: readonly Tables['invoices'][]): Html {
  const rows = invoices.map(
    (invoice) =>
      html`<tr><td>${invoice.number ?? 'Draft'}</td><td>${formatTime(invoice.created)}</td><td>${formatMoney(invoice.total)}</td><td>${invoice.status ?? ''}</td><td>${nextStep(invoice)}</td></tr>`,
  );
  return invoices.length > 0
    ? html`<div class="scroll"><table><thead><tr><th>Number</th><th>Created</th><th>Total</th><th>Status</th><th>Next</th></tr></thead><tbody>${rows}</tbody></table></div>`
    : html`<p>None</p>`;
}

function nextStep({
  automatically_finalizes_at: finalizes,
  next_payment_attempt: attempt,
}: Tables['invoices']): string {
  if (finalizes) return `Collected on ${formatTime(finalizes)}`;
  return attempt ? `Collected again on ${formatTime(attempt)}` : '';
}

function chargesSection(context: Context, customer: string): Html {
  const charges = context.store.list('charges').filter((charge) => idOf(charge.customer) === customer);
  const rows = charges.map(
    (charge) =>
      html`<tr><td>${formatTime(charge.created)}</td><td>${formatMoney(charge.amount)}</td><td>${describeCharge(context, charge)}</td><td>${disputeForm(context, customer, charge)}</td></tr>`,
  );
  if (rows.length === 0) return html`<h2>Charges</h2><p>None</p>`;
  return html`<h2>Charges</h2><div class="scroll"><table><thead><tr><th>Created</th><th>Amount</th><th>Status</th><th>Dispute</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function describeCharge(context: Context, charge: Tables['charges']): string {
  const dispute = findDispute(context, charge.id);
  if (dispute) return `disputed: ${dispute.status.replaceAll('_', ' ')}`;
  return charge.amount_refunded > 0 ? `refunded: ${formatMoney(charge.amount_refunded)}` : charge.status;
}

function disputeForm(context: Context, customer: string, charge: Tables['charges']): Html | undefined {
  const dispute = findDispute(context, charge.id);
  const path = `/customers/${customer}/charges/${charge.id}/dispute`;
  const button = (value: string, label: string) =>
    html`<button name="action" value="${value}" aria-label="${label}, ${formatMoney(charge.amount)}">${label}</button>`;
  if (!dispute)
    return charge.paid && !charge.refunded
      ? html`<form class="row" method="post" action="${path}">${button('open', 'Dispute')}</form>`
      : undefined;
  return dispute.status === 'needs_response'
    ? html`<form class="row" method="post" action="${path}">${button('lost', 'Lose')}${button('won', 'Win')}</form>`
    : undefined;
}
