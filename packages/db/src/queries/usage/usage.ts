import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { today } from '../../times.ts';
import { wasDelivered } from '../jobs/jobs.ts';
import { processingMs } from './dashboard.ts';

export type UsageRow = {
  day: string;
  surface: 'web' | 'api';
  meter: 'ai' | 'standard';
  completed: number;
  failed: number;
  ms: number;
};
export type Days = { accountId: string; from: string; to: string };

/** Images by day (UTC), surface, and meter, from jobs and from rolled-up days. Canceled jobs don't count. */
export async function listUsage(db: DbOrTx, { accountId, from, to }: Days): Promise<UsageRow[]> {
  const { rows } = await sql<UsageRow>`
    select day::text, surface, meter, sum(completed)::int as completed, sum(failed)::int as failed,
      sum(ms)::double precision as ms
    from (
      select (jobs.finished_at at time zone 'utc')::date as day, jobs.surface,
        case when jobs.plan->>'engine' = 'standard' then 'standard' else 'ai' end as meter,
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

/** Today (UTC) by the database's clock. */
export async function findDay(db: DbOrTx): Promise<string> {
  const { rows } = await sql<{ day: string }>`select ${today}::text as day`.execute(db);
  return rows[0]?.day ?? '';
}
