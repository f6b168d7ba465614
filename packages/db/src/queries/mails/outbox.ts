import type { MailName } from '@uprez/contracts/schemas/mails';
import { type Selectable, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { OutboxTable } from '../../tables/instance-tables.ts';
import { afterSeconds, now } from '../../times.ts';

/** `failure`: if set, stores the message as failed, with this reason. */
type OutboxMessage = {
  id: string;
  kind: string;
  userId?: string | undefined;
  payload: Record<string, unknown>;
  failure?: string;
};

export async function insertOutbox(db: DbOrTx, { id, kind, userId, payload, failure }: OutboxMessage): Promise<void> {
  const end = failure === undefined ? {} : { failedAt: now, lastError: failure };
  await db
    .insertInto('outbox')
    .values({ id, kind, userId: userId ?? null, payload: JSON.stringify(payload), ...end })
    .execute();
}

/** A claimed message. `attempts` identifies the attempt. */
export type ClaimedMessage = Pick<Selectable<OutboxTable>, 'id' | 'userId' | 'payload' | 'attempts'>;

const selectDueOutbox = (db: DbOrTx, kind: string) =>
  db
    .selectFrom('outbox')
    .select('id')
    .where('kind', '=', kind)
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where('notBefore', '<=', now);

/** Claims the longest-due message of a kind for `leaseS` seconds. Concurrent senders get different messages. */
export function claimOutbox(db: DbOrTx, kind: string, leaseS: number): Promise<ClaimedMessage | undefined> {
  const due = selectDueOutbox(db, kind).orderBy('notBefore').orderBy('id').limit(1).forUpdate().skipLocked();
  return db
    .updateTable('outbox')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), notBefore: afterSeconds(leaseS) }))
    .where('id', '=', (eb) => eb.selectFrom(due.as('due')).select('id'))
    .returning(['id', 'userId', 'payload', 'attempts'])
    .executeTakeFirst();
}

export const findDueOutbox = (db: DbOrTx, kind: string) => selectDueOutbox(db, kind).limit(1).executeTakeFirst();

/** Outcome of an attempt. `failure` is absent if the message was sent. `retryS`: seconds until another attempt. */
type OutboxOutcome = { failure?: string; retryS?: number; payload?: Record<string, unknown> };

/** Stores the outcome of an attempt, unless a later attempt has begun or the message was withdrawn. */
export async function settleOutbox(
  db: DbOrTx,
  { id, attempts }: ClaimedMessage,
  { failure, retryS, payload }: OutboxOutcome,
): Promise<void> {
  const end = failure === undefined ? { sentAt: now } : { failedAt: now };
  await db
    .updateTable('outbox')
    .set({
      ...(retryS === undefined ? end : { notBefore: afterSeconds(retryS) }),
      lastError: failure ?? null,
      ...(payload && { payload: JSON.stringify(payload) }),
    })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .execute();
}

/**
 * Locks a claimed message until the transaction ends. Returns undefined if it was withdrawn or a later attempt began.
 */
export const lockOutbox = (tx: DbOrTx, { id, attempts }: ClaimedMessage) =>
  tx
    .selectFrom('outbox')
    .select('id')
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('sentAt', 'is', null)
    .forUpdate()
    .executeTakeFirst();

/** Deletes messages that were sent or failed more than `ageS` seconds ago. Returns the number of deleted messages. */
export async function deleteOldOutbox(db: DbOrTx, ageS: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('outbox')
    .where(sql<Date>`coalesce(sent_at, failed_at)`, '<', afterSeconds(-ageS))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

const mailName = sql<MailName>`payload ->> 'mail'`;

/**
 * Lists the ages, in seconds, of emails about a user that have the name `mail` and were queued in the last `withinS`
 * seconds, newest first. Includes emails that have already been sent.
 */
export async function listQueuedMailAges(
  db: DbOrTx,
  { userId, mail, withinS }: { userId: string; mail: MailName; withinS: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('outbox')
    // A transaction that waited for a lock may have begun before the other transaction queued its email, so the age
    // could be negative.
    .select(sql<number>`greatest(0, extract(epoch from now() - created_at))::double precision`.as('ageS'))
    .where('userId', '=', userId)
    .where('kind', '=', 'mail')
    .where(mailName, '=', mail)
    .where('createdAt', '>', afterSeconds(-withinS))
    .orderBy('createdAt', 'desc')
    .execute();
  return rows.map(({ ageS }) => ageS);
}

/** Deletes unsent emails about a user that have one of these names. */
export const deleteWaitingMails = (db: DbOrTx, userId: string, mails: readonly MailName[]) =>
  db
    .deleteFrom('outbox')
    .where('userId', '=', userId)
    .where('kind', '=', 'mail')
    .where(mailName, 'in', mails)
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .execute();

/** Deletes the email of an invitation if it hasn't been sent yet. Lock the invitation first, as its sender does. */
export const deleteWaitingInvitation = (db: DbOrTx, id: string) =>
  db
    .deleteFrom('outbox')
    .where('kind', '=', 'mail')
    .where(mailName, '=', 'invitation')
    .where(sql`payload ->> 'id'`, '=', id)
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .execute();

type FailingMails = { failed: number; overdue: number };

/**
 * Counts emails that failed permanently in the last `failedS` seconds, and emails that have been waiting for more than
 * `overdueS` seconds. `intended`: errors of emails that were deliberately not sent, which don't count as failures.
 */
export async function countFailingMails(
  db: DbOrTx,
  { failedS, overdueS, intended }: { failedS: number; overdueS: number; intended: readonly string[] },
): Promise<FailingMails> {
  const { rows } = await sql<FailingMails>`
    select
      count(*) filter (where failed_at > now() - make_interval(secs => ${failedS})
        and not last_error = any(${[...intended]}::text[])) as failed,
      count(*) filter (where failed_at is null and created_at < now() - make_interval(secs => ${overdueS})) as overdue
    from outbox where kind = 'mail' and sent_at is null`.execute(db);
  return rows[0] ?? { failed: 0, overdue: 0 };
}
