import { type Bucket, bucketsPerOctave } from '@uprez/contracts/policy/histogram';
import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { failureSource, jobSource, timeSource } from './sources.ts';

/** Days (UTC), both included. `from` splits them: rows before it are of the previous period. */
export type Span = { previousFrom: string; from: string; to: string };

const inSpan = ({ previousFrom, to }: Span) => sql`day between ${previousFrom}::date and ${to}::date`;
const isCurrent = ({ from }: Span) => sql`day >= ${from}::date`;

export type JobDay = { day: string; images: number; web: number; api: number; failed: number; runMs: number };

/** Jobs by day. Days without any have no row. */
export async function readJobDays(db: DbOrTx, span: Span): Promise<JobDay[]> {
  const { rows } = await sql<JobDay>`
    select day::text, sum(completed)::int as images, coalesce(sum(completed) filter (where surface = 'web'), 0)::int as web,
      coalesce(sum(completed) filter (where surface = 'api'), 0)::int as api, sum(failed)::int as failed,
      sum(run_ms)::float8 as "runMs"
    from ${jobSource(span.to)} as days where ${inSpan(span)} group by day order by day`.execute(db);
  return rows;
}

export type JobGroup = {
  isCurrent: boolean;
  surface: 'web' | 'api';
  engine: string;
  tier: string;
  completed: number;
  failed: number;
  engineMs: number;
};

/** Jobs by period, surface, engine, and plan. */
export async function readJobGroups(db: DbOrTx, span: Span): Promise<JobGroup[]> {
  const { rows } = await sql<JobGroup>`
    select ${isCurrent(span)} as "isCurrent", surface, engine, tier, sum(completed)::int as completed,
      sum(failed)::int as failed, sum(engine_ms)::float8 as "engineMs"
    from ${jobSource(span.to)} as days where ${inSpan(span)} group by 1, 2, 3, 4`.execute(db);
  return rows;
}

export type TimeBucket = Bucket & { isCurrent: boolean; engine: string; measure: 'wait' | 'run' };

const limitOf = (next: number) => sql`power(2, (bucket + ${sql.lit(next)}) / ${sql.lit(bucketsPerOctave)}::float8)`;

/** Histograms of times by period and engine, or of one measure. */
export async function readTimes(db: DbOrTx, span: Span, measure?: TimeBucket['measure']): Promise<TimeBucket[]> {
  const isWanted = measure ? sql`measure = ${measure}` : sql`true`;
  const { rows } = await sql<TimeBucket>`
    select ${isCurrent(span)} as "isCurrent", engine, measure, sum(count)::int as count,
      min(coalesce(lowest_ms, ${limitOf(0)})) as "lowestMs", max(coalesce(highest_ms, ${limitOf(1)})) as "highestMs"
    from ${timeSource(span.to)} as days where ${inSpan(span)} and ${isWanted} group by 1, 2, 3, bucket`.execute(db);
  return rows;
}

export type FailureCount = { code: string; engine: string; count: number; previous: number };

/** Failed jobs by code and engine, most frequent first. */
export async function readFailures(db: DbOrTx, span: Span): Promise<FailureCount[]> {
  const { rows } = await sql<FailureCount>`
    select code, engine, coalesce(sum(count) filter (where ${isCurrent(span)}), 0)::int as count,
      coalesce(sum(count) filter (where not ${isCurrent(span)}), 0)::int as previous
    from ${failureSource(span.to)} as days where ${inSpan(span)} group by 1, 2 order by 3 desc, 4 desc, 1, 2`.execute(
    db,
  );
  return rows;
}

/** Images delivered in the month of `today`. */
export async function countMonthImages(db: DbOrTx, today: string): Promise<number> {
  const { rows } = await sql<{ images: number }>`
    select coalesce(sum(completed), 0)::int as images from ${jobSource(today)} as days
    where day >= date_trunc('month', ${today}::date)::date`.execute(db);
  return rows[0]?.images ?? 0;
}
