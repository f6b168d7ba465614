import { limits } from '@uprez/contracts/policy/limits';
import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';

/**
 * `failing`: whether attempts to the destination are currently failing. `due`: number of attempts to make now, at most
 * `limits.endpointAttempts`.
 */
export type DueDestination = { destination: string; accountId: string; failing: boolean; due: number };

/** How many of the longest-due deliveries are searched for destinations first. */
export const maxOldestDeliveries = 1_000;
/** Maximum number of an endpoint's destinations that are searched when `maxOldestDeliveries` or more deliveries are due. */
export const maxSearchedDestinations = 100;

/**
 * Returns SQL for the destinations of the `maxOldestDeliveries` deliveries that have been due the longest, at most
 * `ofOne` per endpoint. All of these deliveries could belong to a single destination. So, if at least that many are
 * due, an index skip scan also adds the first destinations of each endpoint. Otherwise, the scan is skipped, because it
 * also reads destinations that are only waiting for a retry, and an account can have tens of thousands of those.
 */
const selectSearchedDestinations = (ofOne: number) => sql`oldest as materialized (
    select endpoint_id, lane, next_at from webhook_deliveries
    where status = 'pending' and next_at <= now() order by next_at limit ${maxOldestDeliveries}
  ), endpoints as (
    (select endpoint_id from webhook_deliveries
      where status = 'pending' and (select count(*) from oldest) = ${maxOldestDeliveries} order by endpoint_id limit 1)
    union all
    select next.* from endpoints cross join lateral (
      select endpoint_id from webhook_deliveries
      where status = 'pending' and endpoint_id > endpoints.endpoint_id order by endpoint_id limit 1
    ) next
  ), waiting as (
    select first.*, 1 as place from endpoints cross join lateral (
      select endpoint_id, lane from webhook_deliveries
      where status = 'pending' and endpoint_id = endpoints.endpoint_id order by lane limit 1
    ) first
    union all
    select next.*, place + 1 from waiting cross join lateral (
      select endpoint_id, lane from webhook_deliveries
      where status = 'pending' and endpoint_id = waiting.endpoint_id and lane > waiting.lane order by lane limit 1
    ) next
    where place < ${maxSearchedDestinations}
  ), searched as (
    select endpoint_id, lane from (
      select endpoint_id, lane, row_number() over (partition by endpoint_id order by min(next_at)) as place
      from oldest group by endpoint_id, lane
    ) first where place <= ${ofOne}
    union
    select endpoint_id, lane from waiting
  )`;

const isOfSearched = sql`endpoint_id = searched.endpoint_id and lane = searched.lane and status = 'pending' and next_at <= now()`;

/**
 * Lists destinations with due deliveries, at most `ofOne` per endpoint. Accounts take turns, which keeps a single
 * account from filling the list. Within a turn, the longest-due destination comes first. Uses `limit 1`, because with
 * `exists`, PostgreSQL may read all retried deliveries.
 */
export async function listDueDestinations(
  db: DbOrTx,
  { limit, ofOne }: { limit: number; ofOne: number },
): Promise<DueDestination[]> {
  const { rows } = await sql<DueDestination>`
    with recursive ${selectSearchedDestinations(ofOne)}
    select lane as destination, account_id as "accountId", due, failing
    from (
      select nth.lane, nth.due, nth.since, endpoint.account_id,
        coalesce(nth.retried, false) or (endpoint.kind = 'endpoint' and endpoint.failing_since is not null) as failing,
        row_number() over (partition by endpoint.account_id order by nth.since) as turn
      from (
        select searched.*, first.*, row_number() over (partition by endpoint_id order by since) as place,
          (select true from webhook_deliveries where ${isOfSearched} and step > 0 limit 1) as retried
        from searched cross join lateral (
          select min(next_at) as since, count(*)::integer as due from (
            select next_at from webhook_deliveries where ${isOfSearched} order by next_at limit ${limits.endpointAttempts}
          ) next
        ) first
        where first.due > 0
      ) nth join webhook_endpoints endpoint on endpoint.id = nth.endpoint_id
      where nth.place <= ${ofOne}
    ) destinations order by turn, since limit ${limit}`.execute(db);
  return rows;
}
