import type { Context } from '../context.ts';
import { idOf } from '../parameters/merge-field.ts';
import { findDispute } from '../payments/dispute-charge.ts';
import type { Tables } from '../state/tables.ts';
import { type Html, html } from './html.ts';
import { formatMoney, formatTime } from './texts.ts';

/** Returns the part of a customer's page that shows the charges, and disputes them. */
export function chargesSection(context: Context, customer: string): Html {
  const charges = context.store.list('charges').filter((charge) => idOf(charge.customer) === customer);
  const rows = charges.map(
    (charge) =>
      html`<tr><td>${formatTime(charge.created)}</td><td>${formatMoney(charge.amount)}</td><td>${describe(context, charge)}</td><td>${disputeForm(context, customer, charge)}</td></tr>`,
  );
  if (rows.length === 0) return html`<h2>Charges</h2><p>None</p>`;
  return html`<h2>Charges</h2><div class="scroll"><table><thead><tr><th>Created</th><th>Amount</th><th>Status</th><th>Dispute</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function describe(context: Context, charge: Tables['charges']): string {
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
