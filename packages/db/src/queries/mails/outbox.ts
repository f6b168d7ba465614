import { type Selectable, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { OutboxTable } from '../../tables/outbox.ts';
import { afterSeconds, now } from '../../times.ts';

/** `failure`: why it is given up from the start. */
export type OutboxMessage = {
  id: string;
  kind: string;
  userId?: string | undefined;
  payload: Record<string, unknown>;
  failure?: string;
};

/** Write a message into the outbox, in the transaction of what it tells of. */
export async function insertOutbox(db: DbOrTx, { id, kind, userId, payload, failure }: OutboxMessage): Promise<void> {
  const end = failure === undefined ? {} : { failed_at: now, last_error: failure };
  await db
    .insertInto('outbox')
    .values({ id, kind, user_id: userId ?? null, payload: JSON.stringify(payload), ...end })
    .execute();
}

/** A message that one sender has taken; `attempts`, this one included, tells its attempt from a later one. */
export type ClaimedMessage = Pick<Selectable<OutboxTable>, 'id' | 'user_id' | 'payload' | 'attempts'>;

/** Take the message of a kind that has been due longest, for `leaseS`; of senders at once each gets another one. */
export function claimOutbox(db: DbOrTx, kind: string, leaseS: number): Promise<ClaimedMessage | undefined> {
  const due = db
    .selectFrom('outbox')
    .select('id')
    .where('kind', '=', kind)
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('not_before', '<=', now)
    .orderBy('not_before')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked();
  return db
    .updateTable('outbox')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), not_before: afterSeconds(leaseS) }))
    .where('id', '=', (eb) => eb.selectFrom(due.as('due')).select('id'))
    .returning(['id', 'user_id', 'payload', 'attempts'])
    .executeTakeFirst();
}

/** Whether any message of a kind is due. */
export async function hasDueOutbox(db: DbOrTx, kind: string): Promise<boolean> {
  const row = await db
    .selectFrom('outbox')
    .select('id')
    .where('kind', '=', kind)
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('not_before', '<=', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** How an attempt ended: `failure` absent for sent; with `retryS` it is tried again after so many seconds. */
export type OutboxOutcome = { failure?: string; retryS?: number; payload?: Record<string, unknown> };

/** Write down how an attempt ended, unless a later one has begun. False then, and for a message that was taken back. */
export async function settleOutbox(
  db: DbOrTx,
  { id, attempts }: Pick<ClaimedMessage, 'id' | 'attempts'>,
  { failure, retryS, payload }: OutboxOutcome,
): Promise<boolean> {
  const end = failure === undefined ? { sent_at: now } : { failed_at: now };
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({
      ...(retryS === undefined ? end : { not_before: afterSeconds(retryS) }),
      last_error: failure ?? null,
      ...(payload && { payload: JSON.stringify(payload) }),
    })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Keep a claimed message as it is until this transaction ends; false when it was taken back or a later attempt began. */
export async function lockOutbox(
  tx: DbOrTx,
  { id, attempts }: Pick<ClaimedMessage, 'id' | 'attempts'>,
): Promise<boolean> {
  const row = await tx
    .selectFrom('outbox')
    .select('id')
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('sent_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Forget messages that were sent, or given up, over `ageS` ago; how many. */
export async function deleteOldOutbox(db: DbOrTx, ageS: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('outbox')
    .where(sql<Date>`coalesce(sent_at, failed_at)`, '<', afterSeconds(-ageS))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
