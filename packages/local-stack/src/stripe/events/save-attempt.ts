import { delayDraft } from '../billing/delay-draft.ts';
import type { Context } from '../context.ts';
import type { Delivery } from '../state/tables.ts';
import { clockMs } from './deliveries.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** Waiting times between attempts. They end after 3 days, as at Stripe, whose first ones are longer. */
const retryDelaysMs = [
  ...[1, 5, 30, 300].map((seconds) => seconds * SECOND),
  ...[1, 3, 6, 12, 24, 24].map((hours) => hours * HOUR),
];

/**
 * Stores the result of an attempt: the event has one delivery less to wait for, or another attempt follows. Returns the
 * delivery. Runs in a transaction.
 */
export function saveAttempt(context: Context, before: Delivery, isDelivered: boolean): Delivery {
  const { store } = context;
  const attempts = before.attempts + 1;
  const delivery = store.put('deliveries', { ...before, attempts, ...nextAttempt(context, before, isDelivered) });
  const event = store.get('events', delivery.event);
  if (!event) return delivery;
  if (isDelivered) store.put('events', { ...event, pending_webhooks: Math.max(0, event.pending_webhooks - 1) });
  if (event.type === 'invoice.created') delayDraft(context, { invoice: event.data.object.id ?? '', event: event.id });
  return delivery;
}

function nextAttempt(context: Context, { attempts }: Delivery, isDelivered: boolean): Partial<Delivery> {
  const delayMs = retryDelaysMs[attempts];
  if (isDelivered) return { status: 'delivered' };
  return delayMs === undefined ? { status: 'failed' } : { status: 'pending', due: clockMs(context) + delayMs };
}
