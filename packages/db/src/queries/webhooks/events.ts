import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import type { EventType } from '@uprez/contracts/schemas/webhook-events';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { runPrepared } from '../../prepare-query.ts';
import type { EventsTable } from '../../tables/webhook-tables.ts';
import { afterSeconds } from '../../times.ts';
import { valueOfPlan } from '../../value-of-plan.ts';

export type EventRow = Selectable<EventsTable>;
export type NewEvent = {
  id: string;
  accountId: string;
  type: EventType;
  isSandbox: boolean;
  jobId?: string;
  batchId?: string | undefined;
  webhookUrl?: string | null;
  data: object;
};

/** Inserts an event if the account's plan has the event feed. */
export async function insertEvent(tx: DbOrTx, event: NewEvent, hasFeed: HasFeed): Promise<void> {
  const { jobId = null, batchId = null, webhookUrl = null, data } = event;
  const values = { ...event, jobId, batchId, webhookUrl, data: JSON.stringify(data) };
  await runPrepared(tx, buildEventInsert(values, hasFeed));
}

type BatchEvents = Pick<NewEvent, 'accountId' | 'type' | 'isSandbox'> & {
  batchId: string;
  events: { id: string; data: object }[];
};

/** Inserts events of one batch if the account's plan has the event feed. */
export async function insertBatchEvents(tx: Tx, { events, ...shared }: BatchEvents, hasFeed: HasFeed): Promise<void> {
  if (events.length === 0) return;
  const { accountId, type, isSandbox, batchId } = shared;
  await sql`
    insert into events (id, account_id, type, is_sandbox, batch_id, data)
    select event.id, users.id, ${type}, ${isSandbox}, ${batchId}, event.data
    from users, json_to_recordset(${JSON.stringify(events)}::json) as event (id uuid, data json)
    where users.id = ${accountId} and ${valueOfPlan(sql`users`, hasFeed)}`.execute(tx);
}

export type HasFeed = (plan: Plan) => boolean;

/**
 * Returns the SQL that inserts an event if the account's plan has the event feed. Values of the event may be SQL
 * expressions.
 */
export const buildEventInsert = (event: Required<{ [Name in keyof NewEvent]: unknown }>, hasFeed: HasFeed) => sql`
    insert into events (id, account_id, type, is_sandbox, job_id, batch_id, webhook_url, data)
    select ${event.id}, id, ${event.type}, ${event.isSandbox}, ${event.jobId}::uuid,
      coalesce(${event.batchId}::uuid, (select batch_id from batch_items where job_id = ${event.jobId}::uuid)),
      ${event.webhookUrl}, ${event.data}
    from users where id = ${event.accountId} and ${valueOfPlan(sql`users`, hasFeed)}`;

/** Returns SQL for JSON in which the values of some fields are replaced. Keeps the order of the fields. */
export const replaceJsonValues = (json: string, values: Record<string, RawBuilder<unknown>>) => sql`(
    select json_object_agg(key, case key ${sql.join(
      Object.entries(values).map(([key, value]) => sql`when ${sql.lit(key)} then to_json(${value})`),
      sql` `,
    )} else value end) from json_each(${json}::json))`;

/** Lists accounts that have events without a feed position, longest-waiting account first. */
export async function listAccountsWithNewEvents(db: DbOrTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ accountId: string }>`
    select account_id from events where position is null
    group by account_id order by min(created_at) limit ${limit}`.execute(db);
  return rows.map((row) => row.accountId);
}

const selectNewEvents = (db: DbOrTx, accountId: string) =>
  db.selectFrom('events').where('accountId', '=', accountId).where('position', 'is', null);

export const findNewEvent = (db: DbOrTx, accountId: string) =>
  selectNewEvents(db, accountId).select('id').limit(1).executeTakeFirst();

export const listNewEvents = (tx: Tx, accountId: string, limit: number) =>
  selectNewEvents(tx, accountId).selectAll().orderBy('createdAt').orderBy('id').limit(limit).execute();

/** Appends events to the feed of their account, in the given order. Lock the account first. */
export async function assignPositions(tx: Tx, accountId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update events set position = placed.nth + (
      select coalesce(max(position), 0) from events where account_id = ${accountId} and position is not null)
    from unnest(${ids}::uuid[]) with ordinality as placed (id, nth)
    where events.id = placed.id`.execute(tx);
}

export async function deleteEvents(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('events').where('id', 'in', ids).execute();
}

/**
 * Returns the given batches that have no waiting or unfinished items. Excludes batches that have events without a feed
 * position, unless those are `batch.item_rejected` events.
 */
export async function listSettledBatches(tx: Tx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select id from batches where id = any(${ids}::uuid[]) and not exists (
      select from batch_items item left join jobs job on job.id = item.job_id
      where item.batch_id = batches.id and (
        item.status = 'waiting' or (item.status = 'taken' and job.status in ('queued', 'processing'))))`.execute(tx);
  // Excludes batches with events that aren't released yet, because their release checks the batch again.
  const waiting = await tx
    .selectFrom('events')
    .select('batchId')
    .where('batchId', 'in', ids)
    .where('position', 'is', null)
    .where('type', '<>', 'batch.item_rejected')
    .execute();
  return rows.map((row) => row.id).filter((id) => !waiting.some((event) => event.batchId === id));
}

/** `position`: lists events after this feed position or, with `newestFirst`, before it. */
export type EventQuery = {
  accountId: string;
  isSandbox: boolean;
  type?: EventType | undefined;
  newestFirst: boolean;
  position?: number | undefined;
  limit: number;
};

export function listEvents(db: DbOrTx, choice: EventQuery): Promise<EventRow[]> {
  const { accountId, isSandbox, type, newestFirst, position, limit } = choice;
  let query = db
    .selectFrom('events')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('isSandbox', '=', isSandbox)
    .where('position', 'is not', null);
  if (type) query = query.where('type', '=', type);
  if (position !== undefined) query = query.where('position', newestFirst ? '<' : '>', position);
  return query
    .orderBy('position', newestFirst ? 'desc' : 'asc')
    .limit(limit)
    .execute();
}

/** Lists an account's events that were created since a given time and come after a feed position, in feed order. */
export const listEventsSince = (
  db: DbOrTx,
  { accountId, since, after, limit }: { accountId: string; since: Date; after: number; limit: number },
) =>
  db
    .selectFrom('events')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('position', '>', after)
    .where('createdAt', '>=', since)
    .orderBy('position')
    .limit(limit)
    .execute();

export const findEvent = (db: DbOrTx, id: string) =>
  db.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirst();

export async function findEventPosition(db: DbOrTx, accountId: string, id: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('events')
    .select('position')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.position ?? undefined;
}

/**
 * Deletes up to `limit` events older than `ageS` seconds, along with their deliveries. Returns the number of deleted
 * events.
 */
export async function deleteOldEvents(db: DbOrTx, { ageS, limit }: { ageS: number; limit: number }): Promise<number> {
  const old = db
    .selectFrom('events')
    .select('id')
    .where('createdAt', '<', afterSeconds(-ageS))
    .orderBy('createdAt')
    .limit(limit);
  const { numDeletedRows } = await db.deleteFrom('events').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}
