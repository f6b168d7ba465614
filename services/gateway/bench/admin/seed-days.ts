import { engineNames } from '@uprez/contracts/policy/images/engines';
import { tiers } from '@uprez/contracts/policy/plans/plans';
import type { Db } from '@uprez/db/database';
import { replaceTimeMonth } from '@uprez/db/queries/analytics/roll-up-jobs';
import { sql } from 'kysely';

/** A year, and the one before it that it is compared with. */
const days = 731;
/** Buckets of times with jobs, per engine and day. */
const buckets = 40;

const dates = sql`(select day::date from generate_series(current_date - ${days}::int, current_date - 1, interval '1 day') day) dates`;
const engines = sql`unnest(${[...engineNames]}::text[]) engine`;
const plans = sql`unnest(${[...tiers]}::text[]) tier`;

/** Fills the daily aggregates of analytics: each day with all engines, plans, and surfaces, and cohorts of all months. */
export async function seedDays(db: Db): Promise<void> {
  for (const table of [
    'job_days',
    'job_time_days',
    'job_time_months',
    'failure_days',
    'site_days',
    'revenue_days',
    'cohort_months',
  ])
    await sql`truncate ${sql.table(table)}`.execute(db);
  await sql`insert into job_days select day, surface, case when engine in ('standard', 'nearest') then 'standard' else 'ai' end, engine, tier,
    false, 400, 8, 2, 400000000, 800000, 600000 from ${dates}, ${engines}, ${plans}, unnest(array['web', 'api']) surface`.execute(
    db,
  );
  await sql`insert into job_time_days select day, engine, measure, bucket, false, 50, power(2, bucket / 8.0),
    power(2, (bucket + 1) / 8.0) from ${dates}, ${engines}, unnest(array['wait', 'run']) measure,
      generate_series(40, 39 + ${buckets}::int) bucket`.execute(db);
  await sql`insert into failure_days select day, engine, code, false, 4
    from ${dates}, ${engines}, unnest(array['corrupt_image', 'processing_timeout', 'unsupported_image']) code`.execute(
    db,
  );
  await sql`insert into site_days select day, 100000, 137, 120, 9, 9000 from ${dates}`.execute(db);
  await sql`insert into revenue_days select day, tier, 2000, 5000000, 20000, 5000, 3000, 9000, 1000, 12, 170000, 4000, true
    from ${dates}, ${plans}`.execute(db);
  await sql`insert into cohort_months select cohort::date, month::date, false, 4000, 900, 300, 900000
    from generate_series(date_trunc('month', current_date - ${days}::int), current_date, interval '1 month') cohort,
      generate_series(cohort, current_date, interval '1 month') month`.execute(db);
  await sql`update analytics_state set frozen_until = current_date - 1, is_backfilled = true`.execute(db);
  const { rows: months } = await sql<{ first: string }>`select first::date::text from generate_series(
    date_trunc('month', current_date - ${days}::int), date_trunc('month', current_date - 1) - interval '1 day', interval '1 month') first`.execute(
    db,
  );
  for (const { first } of months) await db.transaction().execute((tx) => replaceTimeMonth(tx, first));
}
