import type { Context } from '../context.ts';
import { idOf } from '../parameters/merge-field.ts';
import { type CardOutcome, findCardOutcome } from '../payments/card-outcomes.ts';
import type { Tables } from '../state/tables.ts';
import { chargesSection } from './charges-section.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import {
  describeEnd,
  describeMethod,
  describePrice,
  formatMoney,
  formatTime,
  methodsOf,
  nameOf,
  subscriptionsOf,
} from './texts.ts';

const outcomes: Record<CardOutcome, string> = {
  succeeds: 'Succeeds',
  declined: 'Is declined',
  insufficient_funds: 'Has insufficient funds',
  authentication: 'Asks for 3-D Secure',
};

interface CustomerInput {
  customer: Tables['customers'];
  /** Why the last form had no effect. */
  error?: string | undefined;
}

/** Returns the page of a customer: its subscriptions, its payment methods, its time, and its invoices. */
export function customerPage(context: Context, { customer, error }: CustomerInput): string {
  const { id } = customer;
  const invoices = context.store.list('invoices').filter((invoice) => idOf(invoice.customer) === id);
  const subscriptions = subscriptionsOf(context, id);
  const methods = methodsOf(context, id);
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
    ([value, label]) => html`<option value="${value}"${value === current ? SELECTED : undefined}>${label}</option>`,
  );
  return html`<form class="row" method="post" action="/customers/${customer}/methods/${method.id}">
<label>${describeMethod(method)}<br><select name="outcome">${other}${options}</select></label><button>Save</button></form>`;
}

const SELECTED = html` selected`;

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
