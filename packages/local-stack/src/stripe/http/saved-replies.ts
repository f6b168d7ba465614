import { createHash } from 'node:crypto';
import type { Store } from '../state/open-store.ts';
import type { SavedReply } from '../state/tables.ts';
import { StripeError } from '../stripe-error.ts';

/** Stripe keeps keys for at least this long. */
const KEPT_SECONDS = 24 * 3600;
const LONGEST_KEY = 255;

/** What identifies a request under its idempotency key. */
export interface KeyedRequest {
  key: string;
  fingerprint: string;
}

/** Returns the key of a POST with its fingerprint. Stripe ignores keys of other methods. */
export function readIdempotencyKey(
  request: { method: string; path: string; params: unknown },
  key: string | undefined,
): KeyedRequest | undefined {
  if (request.method !== 'POST' || !key) return undefined;
  if (key.length > LONGEST_KEY) throw idempotencyError(400, `Idempotency keys have at most ${LONGEST_KEY} characters.`);
  const fingerprint = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  return { key, fingerprint };
}

/** Returns the reply to the first request with this key, if it is still kept. Throws if the request is a different one. */
export function findSavedReply(store: Store, keyed: KeyedRequest, now: number): SavedReply | undefined {
  const saved = store.get('savedReplies', keyed.key);
  if (!saved || saved.created < now - KEPT_SECONDS) return undefined;
  requireSameRequest(keyed, saved.fingerprint);
  return saved;
}

export function requireSameRequest({ key, fingerprint }: KeyedRequest, first: string): void {
  if (fingerprint === first) return;
  throw idempotencyError(
    400,
    `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  );
}

/** Returns the error of a request whose key is used by a request that isn't finished. */
export const keyInUse = (key: string) =>
  idempotencyError(
    409,
    `There is currently another in-progress request using this idempotency key: ${key}. Please try again later.`,
    'idempotency_key_in_use',
  );

const idempotencyError = (status: number, message: string, code?: string) =>
  new StripeError(status, { type: 'idempotency_error', message, ...(code && { code }) });
