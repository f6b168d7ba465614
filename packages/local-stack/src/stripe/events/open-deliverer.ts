import { setMaxListeners } from 'node:events';
import type { Context } from '../context.ts';
import type { Delivery } from '../state/tables.ts';
import { clockMs, listByStatus, planDelivery, sendDelivery, sortDeliveries } from './deliveries.ts';
import { type DeliveryPlan, deliveryPlanSchema, type ReleaseOrder } from './delivery-plan.ts';
import { saveAttempt } from './save-attempt.ts';

/** How often the clock of the double is compared with what is pending. */
const POLL_MS = 1_000;

export type Deliverer = ReturnType<typeof openDeliverer>;

/** Sends stored events to the webhook endpoints, signed. What is pending continues when the double opens again. */
export function openDeliverer(context: Context) {
  const { store } = context;
  let plan = deliveryPlanSchema.parse({});
  const queue = openQueue(context);
  queue.add(listByStatus(store, 'pending'));
  return {
    /** Plans the deliveries of events that were stored since the last call. */
    planNew: () => {
      for (const delivery of listByStatus(store, 'new'))
        queue.add(store.transaction(() => planDelivery(context, delivery, plan)));
      queue.run();
    },
    plan: (): DeliveryPlan => plan,
    setPlan: (next: Partial<DeliveryPlan>) => {
      plan = deliveryPlanSchema.parse(next);
    },
    /** Sends the held deliveries, one after the other. */
    release: async (order: ReleaseOrder) => {
      for (const delivery of sortDeliveries(listByStatus(store, 'held'), order)) await queue.attempt(delivery);
    },
    /** Sends an event again to each endpoint that it was for. */
    resend: async (event: string) => {
      const earlier = store.list('deliveries').filter((delivery) => delivery.event === event);
      const latest = new Map(earlier.map((delivery) => [delivery.endpoint, delivery]));
      for (const delivery of latest.values()) await queue.attempt(delivery);
    },
    close: () => queue.close(),
  };
}

/** Opens a queue of pending deliveries. Each is sent when it is due on the clock of the double. */
function openQueue(context: Context) {
  const { store } = context;
  /** IDs. Their rows hold when they are due, which changes when time passes for a customer. */
  const waiting = new Set<string>();
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  let timer: NodeJS.Timeout | undefined;

  const schedule = (delayMs: number) => {
    clearTimeout(timer);
    if (waiting.size > 0 && !closing.signal.aborted) timer = setTimeout(sendDue, delayMs).unref();
  };
  const add = (deliveries: readonly Delivery[]) => {
    for (const { id } of deliveries) waiting.add(id);
    schedule(0);
  };
  function sendDue(): void {
    const rests: number[] = [];
    for (const id of waiting) {
      const delivery = store.get('deliveries', id);
      const rest = (delivery?.due ?? 0) - clockMs(context);
      if (rest > 0) rests.push(rest);
      else waiting.delete(id);
      if (delivery && rest <= 0) void attempt(delivery);
    }
    schedule(Math.min(POLL_MS, ...rests));
  }
  async function attempt(delivery: Delivery): Promise<void> {
    waiting.delete(delivery.id);
    const isDelivered = await sendDelivery(store, delivery, closing.signal);
    if (closing.signal.aborted) return;
    const saved = store.transaction(() => saveAttempt(context, delivery, isDelivered));
    if (saved.status === 'pending') add([saved]);
  }
  return {
    add,
    attempt,
    /** Sends what is due now. */
    run: () => schedule(0),
    close: () => {
      closing.abort();
      clearTimeout(timer);
    },
  };
}
