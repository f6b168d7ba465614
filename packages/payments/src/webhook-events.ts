import type Stripe from 'stripe';
import * as z from 'zod';
import type { Payments } from './open-payments.ts';
import { makeCalls, type Page, type PageInput } from './transport/calls.ts';
import { getClient } from './transport/client.ts';
import { optionalIdField, timeField, toSeconds } from './transport/fields.ts';

/**
 * Event types that affect a customer's purchases or billing. `invoice.created` is left out, because Stripe would delay
 * a renewal by up to 72 hours whenever our endpoint fails to confirm that event.
 */
export const eventTypes = [
  'charge.dispute.closed',
  'charge.dispute.created',
  'charge.refunded',
  'checkout.session.async_payment_failed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.completed',
  'checkout.session.expired',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.deleted',
  'customer.subscription.pending_update_applied',
  'customer.subscription.pending_update_expired',
  'customer.subscription.updated',
  'customer.updated',
  'invoice.finalized',
  'invoice.marked_uncollectible',
  'invoice.paid',
  'invoice.payment_action_required',
  'invoice.payment_failed',
  'invoice.voided',
  'payment_intent.payment_failed',
  'payment_intent.succeeded',
  'payment_method.automatically_updated',
  'refund.created',
  'refund.failed',
  'refund.updated',
  'setup_intent.succeeded',
  'subscription_schedule.released',
  'subscription_schedule.updated',
] as const;

export type PaymentEvent = z.output<typeof eventSchema>;
export type Verification =
  | { result: 'verified'; event: PaymentEvent }
  /** The event belongs to the other mode of the Stripe account. Confirm it and ignore it. */
  | { result: 'other_mode' }
  | { result: 'invalid'; reason: 'signature' | 'too_old' | 'too_new' | 'body' };

const eventSchema = z
  .object({
    id: z.string(),
    object: z.literal('event'),
    type: z.string(),
    created: timeField,
    livemode: z.boolean(),
    data: z.object({
      object: z.looseObject({
        id: z.string().optional(),
        object: z.string(),
        // Null for an unknown shape. Stripe would resend a rejected event for three days.
        customer: optionalIdField.catch(null),
        payment_intent: optionalIdField.catch(null),
      }),
    }),
  })
  .transform(({ id, type, created, livemode, data: { object } }) => ({
    id,
    type,
    createdAt: created,
    isLive: livemode,
    objectId: object.id ?? null,
    objectType: object.object,
    /** Null for refunds and disputes. To find their customer, read the payment. */
    customerId: object.object === 'customer' ? (object.id ?? null) : object.customer,
    paymentIntentId: object.object === 'payment_intent' ? (object.id ?? null) : object.payment_intent,
  }));

/**
 * Stripe's tolerance for the timestamp of a webhook. Checked here, because the SDK checks only timestamps in the past.
 */
const toleranceS = 300;

export type WebhookRequest = {
  /** The raw body, because the signature covers its bytes. */
  body: Buffer;
  signature: string | undefined;
  now?: Date;
};

/** Verifies a webhook request with each secret, and parses its event. */
export function verifyEvent(
  payments: Payments,
  { body, signature = '', now = new Date() }: WebhookRequest,
): Verification {
  const times = [...signature.matchAll(/(?:^|,)t=([^,]*)/g)].map(([, time]) => time ?? '');
  // Stricter than the SDK, which reads the last of several timestamps and accepts text after the digits.
  if (times.length !== 1 || !/^\d{1,12}$/.test(times[0] ?? '')) return { result: 'invalid', reason: 'signature' };
  const opened = openEvent(payments, { body, signature });
  if ('reason' in opened) return { result: 'invalid', reason: opened.reason };
  const ageS = toSeconds(now) - Number(times[0]);
  if (ageS > toleranceS) return { result: 'invalid', reason: 'too_old' };
  if (ageS < -toleranceS) return { result: 'invalid', reason: 'too_new' };
  const event = eventSchema.safeParse(opened.content).data;
  if (!event) return { result: 'invalid', reason: 'body' };
  return event.isLive === (payments.mode === 'live') ? { result: 'verified', event } : { result: 'other_mode' };
}

function openEvent(
  payments: Payments,
  { body, signature }: { body: Buffer; signature: string },
): { content: unknown } | { reason: 'signature' | 'body' } {
  const { stripe, webhookSecrets } = getClient(payments);
  const isSigned = webhookSecrets.some((secret) => isSignedBy(stripe, { body, signature, secret }));
  if (!isSigned) return { reason: 'signature' };
  try {
    return { content: JSON.parse(body.toString()) as unknown };
  } catch {
    return { reason: 'body' };
  }
}

/**
 * Whether a body was signed with a secret. If not, the SDK throws errors of several types, so any error means false. A
 * tolerance of 0 skips the SDK's time check.
 */
function isSignedBy(stripe: Stripe, { body, signature, secret }: { body: Buffer; signature: string; secret: string }) {
  try {
    return stripe.webhooks.signature?.verifyHeader(body, signature, secret, 0) ?? false;
  } catch {
    return false;
  }
}

/** Lists events of all types since a time, newest first. Stripe keeps events for 30 days. */
export const listEvents = (
  payments: Payments,
  { since, after }: PageInput & { since: Date },
): Promise<Page<PaymentEvent>> =>
  makeCalls(eventSchema).list(payments, { after }, (stripe, page) =>
    stripe.events.list({ created: { gte: toSeconds(since) }, ...page }),
  );
