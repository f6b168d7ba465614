import { createHash } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { Tx } from '@uprez/db/database';
import { isKeyTaken, type KeySubject, takeIdempotencyKey } from '@uprez/db/queries/jobs/idempotency-keys';
import { type Actor, isSandbox } from '../actor.ts';
import type { Needs } from '../context.ts';

export type KeyedCall = { actor: Actor; idempotencyKey: string | undefined };
/** `input`: what a request with the same key must repeat. */
type KeyedRequest = KeyedCall & { subject: KeySubject; input: unknown };

// The sandbox has its own keys. No header holds a line break, so the two never meet.
const storedKey = (actor: Actor, key: string) => (isSandbox(actor) ? `sandbox\n${key}` : key);

/** Whether an earlier request had the same key. It can't create anything else: `joinEarlier` compares what was sent. */
export const isRepeat = async ({ db }: Needs<'db'>, { actor, idempotencyKey }: KeyedCall): Promise<boolean> =>
  idempotencyKey !== undefined && isKeyTaken(db, { accountId: actor.accountId, key: storedKey(actor, idempotencyKey) });

/** Take the key of a request; returns what the key stands for already, if anything. Throws `idempotency_mismatch`. */
export async function joinEarlier(tx: Tx, { actor, idempotencyKey, subject, input }: KeyedRequest) {
  if (!idempotencyKey) return undefined;
  const key = storedKey(actor, idempotencyKey);
  const fingerprint = createHash('sha256').update(JSON.stringify(input)).digest('hex');
  const lifeS = limits.idempotencyHours * 3_600;
  const earlier = await takeIdempotencyKey(tx, { accountId: actor.accountId, key, fingerprint, subject, lifeS });
  if (earlier && earlier.fingerprint !== fingerprint) throw new AppError('idempotency_mismatch');
  return earlier;
}
