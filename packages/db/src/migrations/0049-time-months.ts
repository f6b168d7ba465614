import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Histograms of whole months: years have too many days to add them up for each request. */
export const timeMonths: Migration = {
  up: runAll([
    `create table job_time_months (
      month date not null,
      engine text not null,
      measure text not null check (measure in ('wait', 'run')),
      bucket smallint not null,
      count integer not null,
      lowest_ms real,
      highest_ms real,
      primary key (month, engine, measure, bucket)
    )`,
    // A bucket whose limits hold on one day has none in its month.
    `insert into job_time_months (month, engine, measure, bucket, count, lowest_ms, highest_ms)
      select date_trunc('month', day::timestamp)::date, engine, measure, bucket, sum(count),
        case when bool_and(lowest_ms is not null) then min(lowest_ms) end,
        case when bool_and(highest_ms is not null) then max(highest_ms) end
      from job_time_days, analytics_state where day < date_trunc('month', frozen_until::timestamp)::date
      group by 1, 2, 3, 4`,
  ]),
  down: runAll(['drop table job_time_months']),
};
