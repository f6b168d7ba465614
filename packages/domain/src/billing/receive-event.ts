import { insertStripeEvent } from '@uprez/db/queries/billing/stripe-events';
import { type Verification, verifyEvent, type WebhookRequest } from '@uprez/payments/webhook-events';
import type { Needs } from '../context.ts';

/** Outcome of a webhook request: stored, or why it wasn't. */
export type Reception =
  | 'stored'
  | 'repeated'
  | 'other_customer'
  | 'other_mode'
  | Extract<Verification, { result: 'invalid' }>['reason'];

/**
 * Verifies a webhook request, stores its event, and marks its customer to be read again. An event only says that something
 * changed, so its order doesn't matter and its payload isn't kept. Makes no request to Stripe.
 */
export async function receiveEvent(ctx: Needs<'db' | 'payments'>, request: WebhookRequest): Promise<Reception> {
  const verified = verifyEvent(ctx.payments, request);
  if (verified.result === 'invalid') return verified.reason;
  if (verified.result === 'other_mode') return 'other_mode';
  const { isLive: _, ...event } = verified.event;
  const state = await insertStripeEvent(ctx.db, event);
  if (!state) return 'repeated';
  return state === 'ignored' ? 'other_customer' : 'stored';
}
