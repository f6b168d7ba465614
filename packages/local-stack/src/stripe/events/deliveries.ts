import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import type { Store } from '../state/open-store.ts';
import type { Delivery } from '../state/tables.ts';
import type { DeliveryPlan, ReleaseOrder } from './delivery-plan.ts';
import { signPayload } from './sign-payload.ts';

const TIMEOUT_MS = 10_000;

/** Returns the time of the double in milliseconds. */
export const clockMs = ({ now }: Pick<Context, 'now'>): number => now() * 1_000 + (Date.now() % 1_000);

/** Applies the plan to a new delivery. Returns the deliveries to send, with their copies. Runs in a transaction. */
export function planDelivery(context: Context, delivery: Delivery, plan: DeliveryPlan): Delivery[] {
  const { store } = context;
  const { mode, delayMs, copies } = plan;
  if (mode === 'drop') {
    store.put('deliveries', { ...delivery, status: 'dropped' });
    return [];
  }
  const due = delayMs > 0 ? clockMs(context) + delayMs : 0;
  const ids = [delivery.id, ...Array.from({ length: copies - 1 }, () => makeId('del'))];
  const planned = ids.map((id) =>
    store.put('deliveries', { ...delivery, id, due, status: mode === 'hold' ? 'held' : 'pending' }),
  );
  return mode === 'hold' ? [] : planned;
}

/** Sends an event to an endpoint. Returns whether the endpoint confirmed it with a status of 200 to 299. */
export async function sendDelivery(store: Store, delivery: Delivery, signal: AbortSignal): Promise<boolean> {
  const event = store.get('events', delivery.event);
  const endpoint = store.get('webhookEndpoints', delivery.endpoint);
  const secret = store.get('webhookSecrets', delivery.endpoint)?.secret;
  if (!event || !endpoint || !secret) return false;
  const body = JSON.stringify(event);
  const signature = signPayload(body, { secret, time: Math.floor(Date.now() / 1_000) });
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** Sorts deliveries that are in the order of creation. IDs are random, so their order is a shuffled one. */
export function sortDeliveries(deliveries: readonly Delivery[], order: ReleaseOrder): Delivery[] {
  if (order === 'reversed') return deliveries.toReversed();
  if (order === 'shuffled') return deliveries.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return [...deliveries];
}

export const listByStatus = (store: Store, status: Delivery['status']): Delivery[] =>
  store
    .list('deliveries')
    .filter((delivery) => delivery.status === status)
    .reverse();
