import { engineNames, isAiEngine } from '@uprez/contracts/policy/images/engines';
import { limits } from '@uprez/contracts/policy/limits';
import { type RawBuilder, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { today } from '../../times.ts';
import { type JobRow, wasDelivered } from '../jobs/jobs.ts';

const standardEngines = sql.join(engineNames.filter((name) => !isAiEngine(name)).map((name) => sql.lit(name)));

/** Returns the meter of an engine. Unknown engines count as AI. */
export const meterOfEngine = (engine: RawBuilder<unknown>) =>
  sql<'ai' | 'standard'>`case when ${engine} in (${standardEngines}) then 'standard' else 'ai' end`;

export type UsageRow = {
  day: string;
  surface: 'web' | 'api';
  meter: 'ai' | 'standard';
  completed: number;
  failed: number;
  ms: number;
};
type UsagePeriod = { accountId: string; from: string; to: string };

/** Counts images by day (UTC), surface, and meter, from jobs and from rolled-up days. Canceled jobs don't count. */
export async function listUsage(db: DbOrTx, { accountId, from, to }: UsagePeriod): Promise<UsageRow[]> {
  const { rows } = await sql<UsageRow>`
    select day::text, surface, meter, sum(completed)::int as completed, sum(failed)::int as failed,
      sum(ms)::double precision as ms
    from (
      select (jobs.finished_at at time zone 'utc')::date as day, jobs.surface,
        ${meterOfEngine(sql`jobs.plan->>'engine'`)} as meter,
        count(*) filter (where ${wasDelivered}) as completed,
        count(*) filter (where jobs.error_code <> 'cancelled') as failed,
        coalesce(sum(${processingMs}) filter (where ${wasDelivered}), 0) as ms
      from jobs
      where jobs.account_id = ${accountId} and jobs.kind = 'image'
        and jobs.finished_at >= ${from}::date::timestamp at time zone 'utc'
        and jobs.finished_at < (${to}::date + 1)::timestamp at time zone 'utc'
      group by 1, 2, 3
      union all
      select day, surface, meter, completed, failed, processing_ms from usage_days
      where account_id = ${accountId} and day between ${from}::date and ${to}::date
    ) as parts
    group by 1, 2, 3`.execute(db);
  return rows;
}

/** Returns today's date (UTC) by the database's clock. */
export async function readToday(db: DbOrTx): Promise<string> {
  const { rows } = await sql<{ day: string }>`select ${today}::text as day`.execute(db);
  return rows[0]?.day ?? '';
}

const maxBatchRows = 500;

/**
 * Adds a batch of old jobs to `usage_days` and deletes the jobs. Takes jobs that ended more than `days` days ago, on
 * days that are final in analytics. Returns the number of jobs.
 */
export async function rollUpOldJobs(tx: Tx, days: number): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    with old as materialized (
      select id from jobs
      where status in ('expired', 'failed', 'cancelled') and kind = 'image'
        and finished_at < now() - make_interval(days => ${days})
        and finished_at < (select frozen_until::timestamp at time zone 'utc' from analytics_state)
        and not exists (select from objects where objects.job_id = jobs.id)
      order by finished_at limit ${maxBatchRows} for update skip locked
    ), gone as (
      delete from jobs using old where jobs.id = old.id
      returning jobs.account_id, jobs.surface, jobs.plan->>'engine' as engine, jobs.error_code, jobs.started_at, jobs.finished_at
    ), folded as (
      insert into usage_days (account_id, day, surface, meter, completed, failed, processing_ms)
      select account_id, (finished_at at time zone 'utc')::date, surface,
        ${meterOfEngine(sql`engine`)},
        count(*) filter (where error_code is null),
        count(*) filter (where error_code <> 'cancelled'),
        coalesce(round(sum(extract(epoch from finished_at - started_at) * 1000) filter (where error_code is null)), 0)
      from gone where account_id is not null
      group by 1, 2, 3, 4
      having count(*) filter (where error_code is distinct from 'cancelled') > 0
      on conflict (account_id, day, surface, meter) do update set
        completed = usage_days.completed + excluded.completed,
        failed = usage_days.failed + excluded.failed,
        processing_ms = usage_days.processing_ms + excluded.processing_ms
    )
    select count(*) as folded from gone`.execute(tx);
  return rows[0]?.folded ?? 0;
}

/** Duration of the attempt that delivered the result, in milliseconds. */
export const processingMs = sql<number>`(extract(epoch from jobs.finished_at - jobs.started_at) * 1000)::double precision`;

export type DeliveryCount = { surface: 'web' | 'api'; isCurrent: boolean; images: number; ms: number };

/**
 * Counts the deliveries of this month (UTC) and of an equally long period before it, by surface. `ms`: processing time,
 * excluding the wait in the queue.
 */
export async function countDeliveredImages(db: DbOrTx, accountId: string): Promise<DeliveryCount[]> {
  const { rows } = await sql<DeliveryCount>`
    with month as (select date_trunc('month', now(), 'UTC') as start)
    select jobs.surface, jobs.finished_at >= month.start as "isCurrent", count(*) as images,
      sum(${processingMs}) as ms
    from month join jobs on jobs.finished_at > month.start - (now() - month.start)
    where jobs.account_id = ${accountId} and ${wasDelivered}
    group by 1, 2`.execute(db);
  return rows;
}

/**
 * Returns the database's time, and whether the account existed for the whole period that this month is compared with.
 */
export async function findDashboardTimes(db: DbOrTx, accountId: string): Promise<{ now: Date; hasPrevious: boolean }> {
  const { rows } = await sql<{ now: Date; hasPrevious: boolean }>`
    with month as (select date_trunc('month', now(), 'UTC') as start)
    select now(), coalesce(users.created_at <= month.start - (now() - month.start), false) as "hasPrevious"
    from month left join users on users.id = ${accountId}`.execute(db);
  return rows[0] ?? { now: new Date(), hasPrevious: false };
}

/**
 * Sums the bytes of an account's stored files and uploads in progress. An upload counts from its first byte. If the
 * gateway crashes, the upload counts only until it would have ended at the slowest allowed speed.
 */
export async function sumStoredBytes(db: DbOrTx, accountId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (
      (select coalesce(sum(size), 0) from objects where account_id = ${accountId} and state = 'stored')
      + (select coalesce(sum(size), 0) from objects where account_id = ${accountId} and state = 'writing' and kind = 'source'
        and created_at > now() - make_interval(secs => ${limits.bodyPaceSeconds} + size / ${limits.bodyBytesPerSecond}::float))
    )::bigint as bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/**
 * Makes other uploads of an account wait until the transaction ends. Otherwise, two uploads could use the same free
 * bytes.
 */
export const lockStorage = (tx: Tx, accountId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended('storage:' || ${accountId}::text, 0))`.execute(tx);

export type RecentJob = Pick<JobRow, 'id' | 'filename' | 'status' | 'recipe' | 'plan' | 'createdAt'> & {
  hasThumbnail: boolean;
};

/** Lists an account's latest jobs, excluding patch previews. */
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

/** Returns totals of all deliveries in the last `days` days. */
export async function sumSiteUsage(db: DbOrTx, days: number): Promise<SiteTotals> {
  const { rows } = await sql<SiteTotals>`
    select count(*) as images,
      coalesce(sum((plan->'output'->>'width')::double precision * (plan->'output'->>'height')::double precision), 0) / 1e6
        as megapixels,
      percentile_cont(0.5) within group (order by ${processingMs}) as "medianMs"
    from jobs where jobs.finished_at > now() - make_interval(days => ${days}) and ${wasDelivered}`.execute(db);
  return rows[0] ?? { images: 0, megapixels: 0, medianMs: null };
}
