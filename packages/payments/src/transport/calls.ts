import type Stripe from 'stripe';
import * as z from 'zod';
import type { Payments } from '../open-payments.ts';
import { PaymentError } from '../payment-error.ts';
import { getClient } from './client.ts';
import { toPaymentError } from './to-payment-error.ts';

/** Every input of a call that changes something at Stripe. The caller stores the key before the call. */
export type WithKey = { idempotencyKey: string };
/** A page of at most 100 entries, newest first. `next` continues the list. */
export type Page<Item> = { items: Item[]; next: string | null };
export type PageInput = { after?: string | null | undefined };

/** Stripe's limit. */
const maxKeyLength = 255;
const pageSize = 100;

/** Sends a GET or DELETE request. Throws PaymentError. */
export async function send(payments: Payments, call: (stripe: Stripe) => Promise<unknown>): Promise<unknown> {
  const { stripe, pendingRequests, pace } = getClient(payments);
  await pace?.();
  const request = { startedAtMs: performance.now() };
  pendingRequests.add(request);
  try {
    return await call(stripe);
  } catch (error) {
    throw toPaymentError(error);
  } finally {
    pendingRequests.delete(request);
  }
}

/** Sends a POST request under the caller's key. The SDK would invent a key, which a retry couldn't repeat. Throws PaymentError. */
export async function post(
  payments: Payments,
  { idempotencyKey }: WithKey,
  call: (stripe: Stripe, options: { idempotencyKey: string }) => Promise<unknown>,
): Promise<unknown> {
  if (!idempotencyKey?.trim() || idempotencyKey.length > maxKeyLength)
    throw new TypeError(`idempotencyKey must have 1 to ${maxKeyLength} characters`);
  return await send(payments, (stripe) => call(stripe, { idempotencyKey }));
}

/** Returns what a call returns, or undefined if Stripe has no such object. */
export async function sendOrUndefined(
  payments: Payments,
  call: (stripe: Stripe) => Promise<unknown>,
): Promise<unknown> {
  try {
    return await send(payments, call);
  } catch (error) {
    if (error instanceof PaymentError && error.kind === 'not_found') return undefined;
    throw error;
  }
}

/** Converts a reply to our type. Throws PaymentError `unexpected_reply` with the paths of wrong fields, without their values. */
export function parseReply<Schema extends z.ZodType>(schema: Schema, reply: unknown): z.output<Schema> {
  const parsed = schema.safeParse(reply);
  if (parsed.success) return parsed.data;
  const paths = new Set(parsed.error.issues.map((issue) => issue.path.join('.') || '(root)'));
  throw new PaymentError('unexpected_reply', { detail: [...paths].slice(0, 10).join(', ') });
}

const listSchema = z.object({ data: z.array(z.looseObject({ id: z.string() })), has_more: z.boolean() });

/** Converts a list to a page. Throws PaymentError. */
export function parsePage<Schema extends z.ZodType>(schema: Schema, reply: unknown): Page<z.output<Schema>> {
  const { data, has_more: hasMore } = parseReply(listSchema, reply);
  const items = data.map((item) => parseReply(schema, item));
  return { items, next: (hasMore && data.at(-1)?.id) || null };
}

export const pageParams = ({ after }: PageInput): { limit: number; starting_after?: string } => ({
  limit: pageSize,
  ...(after && { starting_after: after }),
});
