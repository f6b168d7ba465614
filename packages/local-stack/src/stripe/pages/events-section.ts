import type { Context } from '../context.ts';
import type { DeliveryPlan } from '../events/delivery-plan.ts';
import type { Delivery, StoredEvent } from '../state/tables.ts';
import { type Html, html } from './html.ts';
import { formatTime } from './texts.ts';

export interface EventsInput {
  plan: DeliveryPlan;
}

/** The latest events are shown. */
const maxEvents = 30;
const modes = [
  ['send', 'Send'],
  ['hold', 'Hold until released'],
  ['drop', 'Drop'],
] as const;

/** Returns the part of a page that decides how events are delivered, and sends them again. */
export function eventsSection({ store }: Context, { plan }: EventsInput): Html {
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
    ([value, label]) => html`<option value="${value}"${plan.mode === value ? SELECTED : undefined}>${label}</option>`,
  );
  return html`<h2>Events</h2><form class="row" method="post" action="/deliveries">
<label>New events<br><select name="mode">${options}</select></label>
<label>Delay in seconds<br><input type="number" name="delayS" min="0" max="86400" value="${plan.delayMs / 1_000}"></label>
<button>Save</button></form>
<form class="row" method="post" action="/deliveries/release"><button>Release ${held} held ${held === 1 ? 'event' : 'events'}</button></form>
<div class="scroll"><table><thead><tr><th>Created</th><th>Event</th><th>Delivery</th><th>Action</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

const SELECTED = html` selected`;

function eventRow({ id, type, created, data }: StoredEvent, deliveries: readonly Delivery[]): Html {
  const states = deliveries.map(({ status, attempts }) =>
    attempts > 1 ? `${status} after ${attempts} attempts` : status,
  );
  const object = 'id' in data.object ? String(data.object.id) : '';
  return html`<tr><td>${formatTime(created)}</td><td>${type}<br><span class="muted">${object}</span></td><td>${states.join(', ') || 'No endpoint'}</td>
<td><form method="post" action="/events/${id}/resend"><button aria-label="Resend ${type} of ${object}">Resend</button></form></td></tr>`;
}
