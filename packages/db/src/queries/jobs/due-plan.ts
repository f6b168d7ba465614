import { type RawBuilder, sql } from 'kysely';
import { secondsSinceStart } from './virtual-times.ts';

/** A plan with a claimable job waits through at most this many times its seconds of other plans' starts. */
const longestWait = 20;
const roundingErrors = 1e-6;

/**
 * The plan that must start now so that no plan waits longer. `heads`: jobs with `tier`, `seconds`, `finish`, and
 * `created_at`. `pool`: of the worker. `allowed`: seconds of other plans that may still start.
 */
export const duePlan = (heads: RawBuilder<unknown>, pool?: string) => sql`waits as materialized (
    select tier, seconds, ${sql.lit(longestWait)} * seconds - (${secondsSinceStart(sql`tier`, pool)}) as allowed
    from (select distinct on (tier) tier, seconds from ${heads} order by tier, finish, created_at) plans
  ), line as (
    select tier, row_number() over ahead as place,
      allowed - coalesce(sum(seconds) over (ahead rows between unbounded preceding and 1 preceding), 0) as remaining
    from waits window ahead as (order by allowed, tier)
  ), due as (
    select tier from line
    where place = 1 and exists (select from line where remaining <= ${sql.lit(roundingErrors)}::double precision)
  )`;
