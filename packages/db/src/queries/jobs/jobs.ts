import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import { type InsertObject, type Selectable, sql, type UpdateObject } from 'kysely';
import type { DbOrTx, Tables, Tx } from '../../database.ts';
import type { JobKind, JobsTable } from '../../tables/jobs.ts';
import { afterSeconds, now } from '../../times.ts';

/** A job row, with `updatedUs`: its last change in microseconds since 1970, finer than a Date can hold. */
export type JobRow = Selectable<JobsTable> & { updatedUs: number };
export type NewJobRow = InsertObject<Tables, 'jobs'>;

const updatedUs = sql<number>`(extract(epoch from jobs.updated_at) * 1000000)::bigint`.as('updatedUs');

/** A result that goes sooner than this is of no use to who gets its link, seconds. */
const shortestLifeS = 60;

/** Insert jobs; the rows in the given order. */
export async function insertJobs(db: DbOrTx, rows: readonly (NewJobRow & { id: string })[]): Promise<JobRow[]> {
  if (rows.length === 0) return [];
  const inserted = await db.insertInto('jobs').values(rows).returningAll().returning(updatedUs).execute();
  const byId = new Map(inserted.map((job) => [job.id, job]));
  return rows.flatMap(({ id }) => byId.get(id) ?? []);
}

export function findJob(db: DbOrTx, id: string): Promise<JobRow | undefined> {
  return db.selectFrom('jobs').selectAll('jobs').select(updatedUs).where('id', '=', id).executeTakeFirst();
}

export type Repeat = { accountId: string; kind: JobKind; sha256: string; recipe: Recipe; plan: ImagePlan };

/** The job whose stored result was made of the same bytes in the same way, if it stays a moment longer. */
export function findRepeat(db: DbOrTx, { accountId, kind, sha256, recipe, plan }: Repeat): Promise<JobRow | undefined> {
  return db
    .selectFrom('jobs')
    .innerJoin('objects', 'objects.id', 'jobs.resultId')
    .selectAll('jobs')
    .select(updatedUs)
    .where('jobs.accountId', '=', accountId)
    .where('jobs.kind', '=', kind)
    .where('jobs.status', '=', 'completed')
    .where('objects.state', '=', 'stored')
    .where('jobs.expiresAt', '>', afterSeconds(shortestLifeS))
    .where(sql`jobs.receipt->'source'->>'sha256'`, '=', sha256)
    .where(sql`jobs.recipe`, '=', sql`${JSON.stringify(recipe)}::jsonb`)
    .where(sql`jobs.plan->>'engine'`, '=', plan.engine)
    .where(sql`jobs.plan->'output'`, '=', sql`${JSON.stringify(plan.output)}::jsonb`)
    .orderBy('jobs.expiresAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Rows by id: one query for a whole batch. */
export async function findJobs(db: DbOrTx, ids: readonly string[]): Promise<Map<string, JobRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('jobs').selectAll('jobs').select(updatedUs).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * What a change expects of the row: its status, the attempt where only that attempt may write, and that its lease has
 * run out where only a silent worker may lose it.
 */
export type JobExpectation = { id: string; status: JobStatus; attempt?: number; leaseExpired?: boolean | undefined };

/**
 * The only way a job row changes: one conditional update that raises the version. No row back means that someone else
 * was first.
 */
export function changeJob(
  db: DbOrTx,
  expected: JobExpectation,
  changes: UpdateObject<Tables, 'jobs'>,
): Promise<JobRow | undefined> {
  let update = db
    .updateTable('jobs')
    .set(changes)
    .set((eb) => ({ version: eb('version', '+', 1), updatedAt: sql`clock_timestamp()` }))
    .where('id', '=', expected.id)
    .where('status', '=', expected.status);
  if (expected.attempt !== undefined) update = update.where('attempt', '=', expected.attempt);
  if (expected.leaseExpired) update = update.where('leaseUntil', '<', now);
  return update.returningAll('jobs').returning(updatedUs).executeTakeFirst();
}

/** The row if it is as expected, held against changes until the transaction ends. */
export function holdJob(
  tx: Tx,
  expected: { id: string; status: JobStatus; attempt: number },
): Promise<JobRow | undefined> {
  return tx
    .selectFrom('jobs')
    .selectAll('jobs')
    .select(updatedUs)
    .where('id', '=', expected.id)
    .where('status', '=', expected.status)
    .where('attempt', '=', expected.attempt)
    .forShare()
    .executeTakeFirst();
}

/** Detach the sources of failed jobs; returns the ids of the jobs that were still failed. */
export async function detachSources(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const detached = await tx
    .updateTable('jobs')
    .set((eb) => ({ sourceId: null, version: eb('version', '+', 1), updatedAt: sql`clock_timestamp()` }))
    .where('id', 'in', ids)
    .where('status', '=', 'failed')
    .returning('id')
    .execute();
  return detached.map(({ id }) => id);
}

/** Note that a wake-up for the job is in the queue. Not a change that anyone watches, so the version stays. */
export async function markEnqueued(db: DbOrTx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.updateTable('jobs').set({ enqueuedAt: now }).where('id', 'in', ids).where('status', '=', 'queued').execute();
}

/** `from` and `until`: when they were made, the end not included. */
export type JobChoice = {
  accountId: string;
  kind: JobKind;
  status?: JobStatus | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
};
export type JobPage = JobChoice & { before?: string | undefined; limit: number };

/** An account's jobs of a kind, newest first; `before` is the id of the last job of the page before (ids rise with time). */
export function listJobs(db: DbOrTx, { before, limit, ...choice }: JobPage): Promise<JobRow[]> {
  let query = chooseJobs(db, choice).selectAll('jobs').select(updatedUs);
  if (before) query = query.where('id', '<', before);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

export async function countJobs(db: DbOrTx, choice: JobChoice): Promise<number> {
  const counted = chooseJobs(db, choice).select((eb) => eb.fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}

function chooseJobs(db: DbOrTx, { accountId, kind, status, from, until }: JobChoice) {
  let query = db.selectFrom('jobs').where('accountId', '=', accountId).where('kind', '=', kind);
  if (status) query = query.where('status', '=', status);
  if (from) query = query.where('createdAt', '>=', from);
  if (until) query = query.where('createdAt', '<', until);
  return query;
}

/** An account's unfinished jobs and those that changed since a moment (microseconds since 1970), oldest change first. */
export function listChangedJobs(db: DbOrTx, accountId: string, sinceUs: number): Promise<JobRow[]> {
  return db
    .selectFrom('jobs')
    .selectAll('jobs')
    .select(updatedUs)
    .where('accountId', '=', accountId)
    .where('kind', '=', 'image')
    .where((eb) =>
      eb.or([
        eb('status', 'in', ['queued', 'processing']),
        eb('updatedAt', '>', sql<Date>`to_timestamp(${sinceUs}::double precision / 1000000)`),
      ]),
    )
    .orderBy('updatedAt')
    .limit(1_000)
    .execute();
}

/** Delivered images, whatever became of them since; looks at patches are none. */
export const wasDelivered = sql<boolean>`(jobs.kind = 'image' and jobs.error_code is null
  and jobs.status in ('completed', 'expired'))`;

/** Whether an image was delivered to this surface in the current calendar month (UTC). */
export const deliveredThisMonth = (surface: 'web' | 'api') => sql<boolean>`(${wasDelivered}
  and jobs.surface = ${surface} and jobs.finished_at >= date_trunc('month', now(), 'UTC'))`;

/** Images of a calendar month (UTC): made on the web, and through the API. */
export type MonthCounts = { imagesThisMonth: number; apiCallsThisMonth: number };

/** An account's images of the current month. */
export function countThisMonth(db: DbOrTx, accountId: string): Promise<MonthCounts> {
  return db
    .selectFrom('jobs')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere(deliveredThisMonth('web')).as('imagesThisMonth'),
      fn.countAll<number>().filterWhere(deliveredThisMonth('api')).as('apiCallsThisMonth'),
    ])
    .where('accountId', '=', accountId)
    .where('finishedAt', '>=', sql<Date>`date_trunc('month', now(), 'UTC')`)
    .executeTakeFirstOrThrow();
}
