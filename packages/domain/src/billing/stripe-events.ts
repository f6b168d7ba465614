import { findPullStart, insertStripeCheck } from '@uprez/db/queries/billing/stripe-checks';
import { insertStripeEvent } from '@uprez/db/queries/billing/stripe-events';
import { readClock } from '@uprez/db/times';
import {
  eventTypes,
  listEvents,
  type PaymentEvent,
  type Verification,
  verifyEvent,
  type WebhookRequest,
} from '@uprez/payments/webhook-events';
import type { Needs } from '../context.ts';

type ReceiveResult =
  | 'stored'
  | 'repeated'
  | 'other_customer'
  | 'other_mode'
  | Extract<Verification, { result: 'invalid' }>['reason'];

/**
 * Verifies a webhook request, stores its event, and marks the event's customer to be read again. The order of events
 * doesn't matter and their payloads aren't kept, because an event only says that something changed. Sends no request to
 * Stripe.
 */
export async function receiveEvent(ctx: Needs<'db' | 'payments'>, request: WebhookRequest): Promise<ReceiveResult> {
  const verified = verifyEvent(ctx.payments, request);
  if (verified.result === 'invalid') return verified.reason;
  if (verified.result === 'other_mode') return 'other_mode';
  const { isLive: _, ...event } = verified.event;
  const state = await insertStripeEvent(ctx.db, event);
  if (!state) return 'repeated';
  return state === 'ignored' ? 'other_customer' : 'stored';
}

/** Stripe may still deliver younger events, and the next pull covers them. */
const minEventAgeS = 300;
/** Longer than `minEventAgeS`, to allow for clock differences with Stripe. */
const overlapS = 900;

const types: ReadonlySet<string> = new Set(eventTypes);

/**
 * Lists Stripe's events since the last pull. Stores events that never arrived, as if they had just been delivered.
 * Returns how many events for our customers were missing. Safe to repeat.
 */
export async function pullEvents(ctx: Needs<'db' | 'payments' | 'log'>, youngestS = minEventAgeS): Promise<number> {
  const { db, payments, log } = ctx;
  const startedAt = await readClock(db);
  const since = await findPullStart(db, overlapS);
  let [checked, found] = [0, 0];
  const isDue = ({ type, createdAt }: PaymentEvent) =>
    types.has(type) && Number(startedAt) - Number(createdAt) >= youngestS * 1_000;
  for (let after: string | null | undefined; since && after !== null; ) {
    const page = await listEvents(payments, { since, after });
    for (const { isLive: _, ...event } of page.items.filter(isDue)) {
      checked += 1;
      const state = await insertStripeEvent(db, { ...event, source: 'pull' });
      if (state !== 'pending') continue;
      found += 1;
      log.warn({ eventId: event.id, type: event.type, customerId: event.customerId }, 'event of Stripe never arrived');
    }
    after = page.next;
  }
  await insertStripeCheck(db, { kind: 'events', startedAt, checked, found });
  return found;
}
