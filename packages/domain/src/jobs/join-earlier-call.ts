import { createHash } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { Tx } from '@uprez/db/database';
import { isKeyTaken, type KeySubject, takeIdempotencyKey } from '@uprez/db/queries/jobs/idempotency-keys';
import { type Actor, isSandbox } from '../actor.ts';
import type { Needs } from '../context.ts';

export type KeyedCall = { actor: Actor; idempotencyKey: string | undefined };
/** `input`: values that must be the same in all requests with the key. */
type KeyedRequest = KeyedCall & { subject: KeySubject; input: unknown };

// Gives sandbox keys their own namespace. A header can't contain a line break, so a live key never starts with this
// prefix.
const storedKey = (actor: Actor, key: string) => (isSandbox(actor) ? `sandbox\n${key}` : key);

/**
 * Whether an earlier request used the same key. Such a request can't create anything else, because `joinEarlierCall`
 * compares its input.
 */
export const isRepeatedCall = async ({ db }: Needs<'db'>, { actor, idempotencyKey }: KeyedCall): Promise<boolean> =>
  idempotencyKey !== undefined && isKeyTaken(db, { accountId: actor.accountId, key: storedKey(actor, idempotencyKey) });

/**
 * Claims the idempotency key of a request. If an earlier request used the key, returns what that request created.
 * Throws `idempotency_mismatch` if the inputs differ.
 */
export async function joinEarlierCall(tx: Tx, { actor, idempotencyKey, subject, input }: KeyedRequest) {
  if (!idempotencyKey) return undefined;
  const key = storedKey(actor, idempotencyKey);
  const fingerprint = createHash('sha256').update(JSON.stringify(input)).digest('hex');
  const lifeS = limits.idempotencyHours * 3_600;
  const earlier = await takeIdempotencyKey(tx, { accountId: actor.accountId, key, fingerprint, subject, lifeS });
  if (earlier && earlier.fingerprint !== fingerprint) throw new AppError('idempotency_mismatch');
  return earlier;
}
