import type { SubscriberSort, SubscriberState, Topic } from '@uprez/contracts/policy/newsletter';
import { type Insertable, type Selectable, type SqlBool, sql, type UpdateObject } from 'kysely';
import { containsPattern } from '../../conditions.ts';
import type { DbOrTx, Tables, Tx } from '../../database.ts';
import { countRows, makeOrders, type Page, readKeysetPage } from '../../keyset.ts';
import type { SubscribersTable } from '../../tables/newsletter-tables.ts';
import { afterSeconds, now } from '../../times.ts';
import { mailboxOf } from '../mails/mailbox-of.ts';

export type SubscriberRow = Selectable<SubscribersTable>;
export type SubscriberChanges = UpdateObject<Tables, 'subscribers', 'subscribers'>;

/** Inserts a subscriber unless one with the email address exists. Locks the subscriber. */
export async function ensureSubscriber(
  tx: Tx,
  row: Pick<Insertable<SubscribersTable>, 'id' | 'email' | 'source'>,
): Promise<SubscriberRow> {
  await tx
    .insertInto('subscribers')
    .values(row)
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .execute();
  const held = tx.selectFrom('subscribers').selectAll().where(sql`lower(email)`, '=', sql`lower(${row.email})`);
  return held.forUpdate().executeTakeFirstOrThrow();
}

export const findSubscriber = (db: DbOrTx, id: string): Promise<SubscriberRow | undefined> =>
  db.selectFrom('subscribers').selectAll().where('id', '=', id).executeTakeFirst();

export const lockSubscriber = (tx: Tx, id: string): Promise<SubscriberRow | undefined> =>
  tx.selectFrom('subscribers').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Locks the subscriber of a confirmation link that hasn't expired. */
export const lockSubscriberByToken = (tx: Tx, tokenHash: Buffer): Promise<SubscriberRow | undefined> =>
  tx
    .selectFrom('subscribers')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .forUpdate()
    .executeTakeFirst();

export const updateSubscriber = (tx: Tx, id: string, changes: SubscriberChanges): Promise<SubscriberRow> =>
  tx.updateTable('subscribers').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow();

/**
 * Stores the token of a link that confirms these topics. Returns false if the requested topics have changed or expired.
 */
export async function setSubscriberToken(
  tx: Tx,
  { id, topics, tokenHash }: { id: string; topics: Topic[]; tokenHash: Buffer },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('subscribers')
    .set({ tokenHash })
    .where('id', '=', id)
    .where('wantedTopics', '=', sql<Topic[]>`${topics}::text[]`)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteSubscriber(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('subscribers').where('id', '=', id).execute();
}

/** Marks a confirmed subscriber as bounced after a mail server refused the email address. */
export async function markSubscriberBounced(db: DbOrTx, id: string): Promise<void> {
  await db
    .updateTable('subscribers')
    .set({ state: 'bounced', endedAt: now, wantedTopics: [], wantedServices: [], tokenHash: null, expiresAt: null })
    .where('id', '=', id)
    .where('state', '=', 'confirmed')
    .execute();
}

/**
 * Restores subscribers that were marked as bounced although the mail server had refused the sender, not their email
 * addresses.
 */
export async function restoreSubscribers(db: DbOrTx, ids: readonly string[]): Promise<void> {
  const set = { state: 'confirmed', endedAt: null } as const;
  await db.updateTable('subscribers').set(set).where('id', 'in', ids).where('state', '=', 'bounced').execute();
}

/**
 * Deletes pending subscribers with an expired confirmation, and clears expired requests of other subscribers. Returns
 * the total number of subscribers in both groups.
 */
export async function deleteExpiredSubscriptions(db: DbOrTx): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('subscribers')
    .where('state', '=', 'pending')
    .where('expiresAt', '<', now)
    .executeTakeFirst();
  const { numUpdatedRows } = await db
    .updateTable('subscribers')
    .set({ wantedTopics: [], wantedServices: [], tokenHash: null, expiresAt: null, askedAt: [] })
    .where('expiresAt', '<', now)
    .executeTakeFirst();
  return Number(numDeletedRows + numUpdatedRows);
}

/** `isMasked`: whether email addresses are masked. If they are, a search must not match parts of them. */
export type SubscriberFilter = {
  search?: string | undefined;
  state?: SubscriberState | undefined;
  topic?: Topic | undefined;
  isMasked?: boolean | undefined;
};

const orders = makeOrders({ created: { column: 'createdAt', type: 'time' } });

/** The search expression must match the index `subscribers_text`. */
function selectMatchingSubscribers(db: DbOrTx, { search, state, topic, isMasked }: SubscriberFilter) {
  let query = db.selectFrom('subscribers');
  if (state) query = query.where('state', '=', state);
  if (topic)
    query = query.where(sql<SqlBool>`${topic} = any(case when state = 'pending' then wanted_topics else topics end)`);
  if (!search) return query;
  if (isMasked) return query.where(sql<SqlBool>`false`);
  return query.where(sql<SqlBool>`lower(email) like lower(${containsPattern(search)})`);
}

export const listSubscribers = (
  db: DbOrTx,
  { sort, after, limit, ...filter }: SubscriberFilter & Page & { sort: SubscriberSort },
): Promise<(SubscriberRow & { sortValue: number })[]> =>
  readKeysetPage(selectMatchingSubscribers(db, filter).selectAll(), { order: orders[sort], id: 'id', after, limit });

export const countSubscribers = (db: DbOrTx, filter: SubscriberFilter): Promise<number> =>
  countRows(selectMatchingSubscribers(db, filter));

/**
 * Counts the confirmation links sent to a mailbox in the last `withinS` seconds, across all its email addresses. Until
 * the transaction ends, concurrent counts for the same mailbox wait.
 */
export async function countMailboxLinks(tx: Tx, email: string, withinS: number): Promise<number> {
  const mailbox = mailboxOf(sql`${email}::text`);
  await sql`select pg_advisory_xact_lock(hashtextextended('mailbox:' || ${mailbox}, 0))`.execute(tx);
  const { n } = await tx
    .selectFrom('subscribers')
    .innerJoinLateral(sql<{ at: Date }>`unnest(asked_at)`.as<'asked'>(sql`asked(at)`), (join) => join.onTrue())
    .select(sql<number>`count(*)`.as('n'))
    .where(mailboxOf(sql.ref('email')), '=', mailbox)
    .where('asked.at', '>', afterSeconds(-withinS))
    .executeTakeFirstOrThrow();
  return n;
}
