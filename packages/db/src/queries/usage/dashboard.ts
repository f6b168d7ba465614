import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { type JobRow, wasDelivered } from '../jobs/jobs.ts';

/** From the start of the attempt that delivered, milliseconds. */
export const processingMs = sql<number>`(extract(epoch from jobs.finished_at - jobs.started_at) * 1000)::double precision`;

export type Delivered = { surface: 'web' | 'api'; isCurrent: boolean; images: number; ms: number };

/** Deliveries of this month (UTC) and of an equally long time before it, by surface. `ms`: total processing time. */
export async function countDelivered(db: DbOrTx, accountId: string): Promise<Delivered[]> {
  const { rows } = await sql<Delivered>`
    with month as (select date_trunc('month', now(), 'UTC') as start)
    select jobs.surface, jobs.finished_at >= month.start as "isCurrent", count(*) as images, sum(${processingMs}) as ms
    from month join jobs on jobs.finished_at > month.start - (now() - month.start)
    where jobs.account_id = ${accountId} and ${wasDelivered}
    group by 1, 2`.execute(db);
  return rows;
}

/** The database's time, and whether an account was there for the whole stretch that this month is compared with. */
export async function findDashboardTimes(db: DbOrTx, accountId: string): Promise<{ now: Date; hasPrevious: boolean }> {
  const { rows } = await sql<{ now: Date; hasPrevious: boolean }>`
    with month as (select date_trunc('month', now(), 'UTC') as start)
    select now(), coalesce(users.created_at <= month.start - (now() - month.start), false) as "hasPrevious"
    from month left join users on users.id = ${accountId}`.execute(db);
  return rows[0] ?? { now: new Date(), hasPrevious: false };
}

/** Bytes stored for an account now. */
export async function sumStoredBytes(db: DbOrTx, accountId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('objects')
    .select(sql<number>`coalesce(sum(size), 0)::bigint`.as('bytes'))
    .where('accountId', '=', accountId)
    .where('state', '=', 'stored')
    .executeTakeFirstOrThrow();
  return bytes;
}

export type RecentJob = Pick<JobRow, 'id' | 'filename' | 'status' | 'recipe' | 'plan' | 'createdAt'> & {
  hasThumbnail: boolean;
};

/** An account's newest jobs, without looks at patches. */
export const listRecentJobs = (db: DbOrTx, accountId: string, limit: number) =>
  db
    .selectFrom('jobs')
    .leftJoin('objects', (join) => join.onRef('objects.id', '=', 'jobs.thumbnailId').on('objects.state', '=', 'stored'))
    .select(['jobs.id', 'jobs.filename', 'jobs.status', 'jobs.recipe', 'jobs.plan', 'jobs.createdAt'])
    .select((eb) => eb('objects.id', 'is not', null).$castTo<boolean>().as('hasThumbnail'))
    .where('jobs.accountId', '=', accountId)
    .where('jobs.kind', '=', 'image')
    .orderBy('jobs.createdAt', 'desc')
    .orderBy('jobs.id', 'desc')
    .limit(limit)
    .execute();

export type SiteTotals = { images: number; megapixels: number; medianMs: number | null };

/** Deliveries of the whole site in the last days. */
export async function sumSite(db: DbOrTx, days: number): Promise<SiteTotals> {
  const { rows } = await sql<SiteTotals>`
    select count(*) as images,
      coalesce(sum((plan->'output'->>'width')::double precision * (plan->'output'->>'height')::double precision), 0) / 1e6
        as megapixels,
      percentile_cont(0.5) within group (order by ${processingMs}) as "medianMs"
    from jobs where jobs.finished_at > now() - make_interval(days => ${days}) and ${wasDelivered}`.execute(db);
  return rows[0] ?? { images: 0, megapixels: 0, medianMs: null };
}
