import { setMaxListeners } from 'node:events';
import type { Store } from '../state/open-store.ts';
import type { Delivery } from '../state/tables.ts';
import { listByStatus, planDelivery, sendDelivery, sortDeliveries } from './deliveries.ts';
import { type DeliveryPlan, deliveryPlanSchema, type ReleaseOrder } from './delivery-plan.ts';

/** Waiting times between attempts. Stripe's own are longer. */
const retryDelaysMs = [1_000, 5_000, 30_000, 300_000, 3_600_000];

export type Deliverer = ReturnType<typeof openDeliverer>;

/** Sends stored events to the webhook endpoints, signed. What is pending continues when the double opens again. */
export function openDeliverer(store: Store) {
  let plan = deliveryPlanSchema.parse({});
  const scheduler = openScheduler(store);
  for (const delivery of listByStatus(store, 'pending')) scheduler.schedule(delivery);
  return {
    /** Plans the deliveries of events that were stored since the last call. */
    planNew: () => {
      for (const delivery of listByStatus(store, 'new'))
        for (const copy of store.transaction(() => planDelivery(store, delivery, plan))) scheduler.schedule(copy);
    },
    plan: (): DeliveryPlan => plan,
    setPlan: (next: Partial<DeliveryPlan>) => {
      plan = deliveryPlanSchema.parse(next);
    },
    /** Sends the held deliveries, one after the other. */
    release: async (order: ReleaseOrder) => {
      for (const delivery of sortDeliveries(listByStatus(store, 'held'), order)) await scheduler.attempt(delivery);
    },
    /** Sends an event again to each endpoint that it was for. */
    resend: async (event: string) => {
      const earlier = store.list('deliveries').filter((delivery) => delivery.event === event);
      const latest = new Map(earlier.map((delivery) => [delivery.endpoint, delivery]));
      for (const delivery of latest.values()) await scheduler.attempt(delivery);
    },
    close: () => scheduler.close(),
  };
}

function openScheduler(store: Store) {
  const timers = new Map<string, NodeJS.Timeout>();
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);

  const schedule = (delivery: Delivery): void => {
    const timer = setTimeout(() => void attempt(delivery), Math.max(0, delivery.due - Date.now()));
    timers.set(delivery.id, timer.unref());
  };

  /** Sends a delivery, and schedules the next attempt if that failed. */
  async function attempt(delivery: Delivery): Promise<void> {
    timers.delete(delivery.id);
    const isDelivered = await sendDelivery(store, delivery, closing.signal);
    if (closing.signal.aborted) return;
    const attempts = delivery.attempts + 1;
    const delayMs = retryDelaysMs[delivery.attempts];
    if (isDelivered) confirm(store, { ...delivery, attempts, status: 'delivered' });
    else if (delayMs === undefined) save({ ...delivery, attempts, status: 'failed' });
    else schedule(save({ ...delivery, attempts, status: 'pending', due: Date.now() + delayMs }));
  }

  const save = (delivery: Delivery) => store.transaction(() => store.put('deliveries', delivery));
  return {
    schedule,
    attempt,
    close: () => {
      closing.abort();
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

/** Stores that a delivery arrived, and that its event has one less to wait for. */
function confirm(store: Store, delivery: Delivery): void {
  store.transaction(() => {
    store.put('deliveries', delivery);
    const event = store.get('events', delivery.event);
    if (event) store.put('events', { ...event, pending_webhooks: Math.max(0, event.pending_webhooks - 1) });
  });
}
