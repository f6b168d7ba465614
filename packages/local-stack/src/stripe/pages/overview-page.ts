import type { Context } from '../context.ts';
import type { Tables } from '../state/tables.ts';
import { type EventsInput, eventsSection } from './events-section.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import { describeEnd, describeMethod, describePrice, methodsOf, nameOf, subscriptionsOf } from './texts.ts';

/** The latest customers are shown. */
const maxCustomers = 100;

/** Returns the first page: the customers, and the events. */
export function overviewPage(context: Context, events: EventsInput): string {
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
<h2>Customers</h2>${customers.length > 0 ? table : empty}${more}${eventsSection(context, events)}`,
  );
}

function customerRow(context: Context, customer: Tables['customers']): Html {
  const [subscription] = subscriptionsOf(context, customer.id);
  const plan = subscription
    ? html`${describePrice(context, subscription)}<br><span class="muted">${subscription.status}. ${describeEnd(subscription)}</span>`
    : 'None';
  const methods = methodsOf(context, customer.id).map(describeMethod).join(', ');
  return html`<tr><td><a href="/customers/${customer.id}">${nameOf(customer)}</a></td><td>${plan}</td><td>${methods || 'None'}</td></tr>`;
}
