import Stripe from 'stripe';
import * as z from 'zod';
import type { Payments } from '../open-payments.ts';
import { PaymentError, type PaymentErrorInfo, type PaymentErrorKind } from '../payment-error.ts';
import { getClient } from './client.ts';

/** Input of a call that creates or changes an object at Stripe. The caller stores the key before the call. */
export type IdempotentInput = { idempotencyKey: string };
/** A page of at most 100 items, newest first. `next`: cursor for the next page, or null. */
export type Page<Item> = { items: Item[]; next: string | null };
export type PageInput = { after?: string | null | undefined };

/** Stripe's maximum length of an idempotency key. */
const maxKeyLength = 255;
const pageSize = 100;

/** Sends a GET or DELETE request. Throws PaymentError. */
export async function send(payments: Payments, call: Call): Promise<unknown> {
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

/**
 * Sends a POST request with the caller's key. The SDK would generate a key, which a retry couldn't repeat. Throws
 * PaymentError.
 */
export async function post(payments: Payments, { idempotencyKey }: IdempotentInput, call: PostCall): Promise<unknown> {
  if (!idempotencyKey?.trim() || idempotencyKey.length > maxKeyLength)
    throw new TypeError(`idempotencyKey must have 1 to ${maxKeyLength} characters`);
  return await send(payments, (stripe) => call(stripe, { idempotencyKey }));
}

/** Returns the result of a call, or undefined if the object doesn't exist at Stripe. */
export async function sendOrUndefined(payments: Payments, call: Call): Promise<unknown> {
  try {
    return await send(payments, call);
  } catch (error) {
    if (error instanceof PaymentError && error.kind === 'not_found') return undefined;
    throw error;
  }
}

/** Parses a response. Throws PaymentError `unexpected_reply` with the paths of invalid fields, without their values. */
export function parseReply<Schema extends z.ZodType>(schema: Schema, reply: unknown): z.output<Schema> {
  const parsed = schema.safeParse(reply);
  if (parsed.success) return parsed.data;
  const paths = new Set(parsed.error.issues.map((issue) => issue.path.join('.') || '(root)'));
  throw new PaymentError('unexpected_reply', { detail: [...paths].slice(0, 10).join(', ') });
}

const listSchema = z.object({ data: z.array(z.looseObject({ id: z.string() })), has_more: z.boolean() });

/** Parses a list response as a page. Throws PaymentError. */
function parsePage<Schema extends z.ZodType>(schema: Schema, reply: unknown): Page<z.output<Schema>> {
  const { data, has_more: hasMore } = parseReply(listSchema, reply);
  const items = data.map((item) => parseReply(schema, item));
  return { items, next: (hasMore && data.at(-1)?.id) || null };
}

type Call = (stripe: Stripe) => Promise<unknown>;
type PostCall = (stripe: Stripe, options: { idempotencyKey: string }) => Promise<unknown>;
type PageParams = { limit: number; starting_after?: string };
type ListCall = (stripe: Stripe, page: PageParams) => Promise<unknown>;

/** Returns calls whose replies are parsed with `schema`. `find` returns undefined if the object doesn't exist. */
export function makeCalls<Schema extends z.ZodType>(schema: Schema) {
  type Item = z.output<Schema>;
  return {
    get: async (payments: Payments, call: Call): Promise<Item> => parseReply(schema, await send(payments, call)),
    find: async (payments: Payments, call: Call): Promise<Item | undefined> => {
      const reply = await sendOrUndefined(payments, call);
      return reply === undefined ? undefined : parseReply(schema, reply);
    },
    post: async (payments: Payments, input: IdempotentInput, call: PostCall): Promise<Item> =>
      parseReply(schema, await post(payments, input, call)),
    list: async (payments: Payments, { after }: PageInput, call: ListCall): Promise<Page<Item>> => {
      const page = { limit: pageSize, ...(after && { starting_after: after }) };
      return parsePage(schema, await send(payments, (stripe) => call(stripe, page)));
    },
  };
}

type StripeError = Stripe.errors.StripeError;

/** Error codes for payments that require 3-D Secure. `authentication_required` can also be a decline code. */
const actionCodes = new Set([
  'authentication_required',
  'invoice_payment_intent_requires_action',
  'payment_intent_action_required',
  'subscription_payment_intent_requires_action',
]);

/** Converts an SDK error to a PaymentError. Returns other errors unchanged, because they are bugs. */
function toPaymentError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const kind = kindOf(error);
  return new PaymentError(kind, toPaymentErrorInfo(error, kind));
}

function kindOf(error: StripeError): PaymentErrorKind {
  const { code, decline_code: declineCode, statusCode } = error;
  if (actionCodes.has(code ?? '') || actionCodes.has(declineCode ?? '')) return 'action_required';
  if (error instanceof Stripe.errors.StripeConnectionError) return 'unreachable';
  if (error instanceof Stripe.errors.StripeCardError) return 'card_declined';
  if (code === 'idempotency_key_in_use' || statusCode === 409) return 'in_progress';
  if (error instanceof Stripe.errors.StripeIdempotencyError) return 'key_conflict';
  if (error instanceof Stripe.errors.StripeRateLimitError) return 'rate_limited';
  if (statusCode === 401 || statusCode === 403) return 'invalid_credentials';
  if (statusCode === 404 || code === 'resource_missing') return 'not_found';
  if (statusCode !== undefined && statusCode < 500) return 'invalid_request';
  // Also covers responses that aren't JSON, such as error pages from proxies. The SDK doesn't report their status.
  return 'unavailable';
}

function toPaymentErrorInfo(error: StripeError, kind: PaymentErrorKind): PaymentErrorInfo {
  const headers: Record<string, string | undefined> = error.headers ?? {};
  const seconds = Number(headers['retry-after']);
  const isForCustomer = kind === 'card_declined' || kind === 'action_required';
  return {
    providerMessage: isForCustomer ? removeSecrets(error.message) : undefined,
    // Omitted for other kinds. For invalid credentials, Stripe's message quotes part of the key.
    detail: kind === 'invalid_request' || kind === 'unreachable' ? removeSecrets(error.message) : undefined,
    code: error.code || undefined,
    declineCode: error.decline_code || undefined,
    param: error.param,
    requestId: error.requestId,
    status: error.statusCode,
    retryAfterMs: seconds > 0 ? seconds * 1_000 : undefined,
    isReplayed: headers['idempotent-replayed'] === 'true' || undefined,
  };
}

/** Matches keys, webhook secrets, client secrets, email addresses, and card numbers. */
const secretPattern = /\b(?:[srp]k|whsec)_\S+|\S+_secret_\S+|\S+@\S+|\b(?:\d[ -]?){12,18}\d\b/g;

const removeSecrets = (text: string): string => text.replaceAll(secretPattern, '[removed]').slice(0, 300);
