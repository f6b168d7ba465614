import { createHmac } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import * as z from 'zod';
import { DRAFT_PERIOD_SECONDS } from '../billing/draft-renewal.ts';
import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import { idOf } from '../parameters/merge-field.ts';
import type { Store } from '../state/open-store.ts';
import type { Delivery } from '../state/tables.ts';
import { customerTimeOf } from '../time/test-clocks.ts';

const POLL_MS = 1_000;

export type Deliverer = ReturnType<typeof openDeliverer>;

/**
 * Signs stored events and sends them to webhook endpoints. Deliveries that are still pending when the double closes
 * continue when it opens again.
 */
export function openDeliverer(context: Context) {
  const { store } = context;
  let plan = deliveryPlanSchema.parse({});
  const queue = openQueue(context);
  queue.add(listByStatus(store, 'pending'));
  return {
    planNew: () => {
      for (const delivery of listByStatus(store, 'new'))
        queue.add(store.transaction(() => planDelivery(context, delivery, plan)));
      queue.run();
    },
    plan: (): DeliveryPlan => plan,
    setPlan: (next: Partial<DeliveryPlan>) => {
      plan = deliveryPlanSchema.parse(next);
    },
    /** Sends the held deliveries one after another. */
    release: async (order: ReleaseOrder) => {
      for (const delivery of sortDeliveries(listByStatus(store, 'held'), order)) await queue.attempt(delivery);
    },
    /** Resends an event to each endpoint that was subscribed to it when it was created. */
    resend: async (event: string) => {
      const earlier = store.list('deliveries').filter((delivery) => delivery.event === event);
      const latest = new Map(earlier.map((delivery) => [delivery.endpoint, delivery]));
      for (const delivery of latest.values()) await queue.attempt(delivery);
    },
    close: () => queue.close(),
  };
}

/** Sends each delivery when it is due on the double's clock. */
function openQueue(context: Context) {
  const { store } = context;
  /**
   * IDs of waiting deliveries. Due times are read from the stored deliveries, because advancing a customer's time
   * changes them.
   */
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
    run: () => schedule(0),
    close: () => {
      closing.abort();
      clearTimeout(timer);
    },
  };
}

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** As with Stripe, the attempts end after 3 days. The first delays are shorter than Stripe's. */
const retryDelaysMs = [
  ...[1, 5, 30, 300].map((seconds) => seconds * SECOND),
  ...[1, 3, 6, 12, 24, 24].map((hours) => hours * HOUR),
];

/**
 * Stores the result of an attempt. If the endpoint confirmed the event, decrements the event's `pending_webhooks`.
 * Otherwise schedules another attempt, or marks the delivery as failed after the last attempt. Returns the updated
 * delivery. Must run in a transaction.
 */
function saveAttempt(context: Context, before: Delivery, isDelivered: boolean): Delivery {
  const { store } = context;
  const attempts = before.attempts + 1;
  const delivery = store.put('deliveries', { ...before, attempts, ...toAttemptChanges(context, before, isDelivered) });
  const event = store.get('events', delivery.event);
  if (!event) return delivery;
  if (isDelivered) store.put('events', { ...event, pending_webhooks: Math.max(0, event.pending_webhooks - 1) });
  if (event.type === 'invoice.created') delayDraft(context, { invoice: event.data.object.id ?? '', event: event.id });
  return delivery;
}

function toAttemptChanges(context: Context, { attempts }: Delivery, isDelivered: boolean): Partial<Delivery> {
  const delayMs = retryDelaysMs[attempts];
  if (isDelivered) return { status: 'delivered' };
  return delayMs === undefined ? { status: 'failed' } : { status: 'pending', due: clockMs(context) + delayMs };
}

/** How long a renewal invoice stays a draft if an endpoint doesn't acknowledge its event, in seconds. */
const MAX_DRAFT_SECONDS = 72 * 3600;

interface AnnouncedDraft {
  invoice: string;
  event: string;
}

/**
 * Updates the time at which a draft is finalized. While an endpoint is failing, this is `MAX_DRAFT_SECONDS` after the
 * draft was created. After the last endpoint has confirmed the draft's event, it is `DRAFT_PERIOD_SECONDS` after the
 * confirmation.
 */
function delayDraft(context: Context, { invoice: id, event }: AnnouncedDraft): void {
  const { store } = context;
  const invoice = store.get('invoices', id);
  if (invoice?.status !== 'draft' || !invoice.automatically_finalizes_at) return;
  const latest = invoice.created + MAX_DRAFT_SECONDS;
  const isUnconfirmed = store.list('deliveries').some((delivery) => delivery.event === event && isFailing(delivery));
  const isDelayed = invoice.automatically_finalizes_at === latest;
  if (isUnconfirmed === isDelayed) return;
  const confirmed = customerTimeOf(context, idOf(invoice.customer)) + DRAFT_PERIOD_SECONDS;
  const finalizes = isUnconfirmed ? latest : Math.min(latest, confirmed);
  store.put('invoices', { ...invoice, automatically_finalizes_at: finalizes, next_payment_attempt: finalizes });
}

const isFailing = ({ status, attempts }: Delivery) => status === 'failed' || (status === 'pending' && attempts > 0);

const TIMEOUT_MS = 10_000;

const clockMs = ({ now }: Pick<Context, 'now'>): number => now() * 1_000 + (Date.now() % 1_000);

/** Stores an event's deliveries, and returns those to send now, including duplicates. Must run in a transaction. */
function planDelivery(context: Context, delivery: Delivery, plan: DeliveryPlan): Delivery[] {
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

/** Sends an event to an endpoint. Returns whether the endpoint confirmed it with a 2xx status. */
async function sendDelivery(store: Store, delivery: Delivery, signal: AbortSignal): Promise<boolean> {
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

/** Expects deliveries in creation order. Sorts by ID to shuffle them, because IDs are random. */
function sortDeliveries(deliveries: readonly Delivery[], order: ReleaseOrder): Delivery[] {
  if (order === 'reversed') return deliveries.toReversed();
  if (order === 'shuffled') return deliveries.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return [...deliveries];
}

const listByStatus = (store: Store, status: Delivery['status']): Delivery[] =>
  store
    .list('deliveries')
    .filter((delivery) => delivery.status === status)
    .reverse();

/** Returns the `Stripe-Signature` header for a body. `time` is a Unix time in seconds. */
export function signPayload(body: string, { secret, time }: { secret: string; time: number }): string {
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return `t=${time},v1=${signature}`;
}

/** How new events are delivered to webhook endpoints. */
export const deliveryPlanSchema = z.strictObject({
  /**
   * `send` delivers events immediately, or after `delayMs`. `hold` delivers them when they are released. `drop` never
   * delivers them.
   */
  mode: z.enum(['send', 'hold', 'drop']).default('send'),
  delayMs: z.int().min(0).default(0),
  copies: z.int().min(1).max(10).default(1),
});

export type DeliveryPlan = z.output<typeof deliveryPlanSchema>;

export const releaseOrderSchema = z.enum(['created', 'reversed', 'shuffled']);
type ReleaseOrder = z.output<typeof releaseOrderSchema>;
