import { type ProbeSort, type ProbeState, type StatusService, statusServices } from '@uprez/contracts/policy/status';
import { type Insertable, type Selectable, sql } from 'kysely';
import { containsPattern } from '../../conditions.ts';
import type { DbOrTx } from '../../database.ts';
import { countRows, makeOrders, type Page, readKeysetPage } from '../../keyset.ts';
import type { ProbesTable } from '../../tables/status-tables.ts';
import { afterSeconds } from '../../times.ts';

export type ProbeRow = Selectable<ProbesTable>;
export type ProbeFilter = {
  search?: string | undefined;
  service?: StatusService | undefined;
  state?: ProbeState | undefined;
};

/** Stores a round of probes. A second round within the same second is ignored. */
export async function insertProbes(db: DbOrTx, rows: readonly Insertable<ProbesTable>[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('probes')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Lists the probes between two times, both inclusive, oldest first. */
export const listProbesBetween = (db: DbOrTx, from: Date, to: Date): Promise<ProbeRow[]> =>
  db.selectFrom('probes').selectAll().where('at', '>=', from).where('at', '<=', to).orderBy('at').execute();

/** PostgreSQL reads one row per service in the index on service and time. */
const readProbePerService = (db: DbOrTx, direction: 'asc' | 'desc') =>
  sql<ProbeRow>`select probe.* from unnest(${[...statusServices]}::text[]) as known (name) cross join lateral (
    select * from probes where service = name order by at ${sql.raw(direction)} limit 1) as probe`.execute(db);

/** Returns the latest probe of each service that has one. */
export const listLatestProbes = async (db: DbOrTx): Promise<ProbeRow[]> => (await readProbePerService(db, 'desc')).rows;

/** Returns the time of each service's earliest stored probe. */
export async function listFirstProbes(db: DbOrTx): Promise<Map<StatusService, Date>> {
  return new Map((await readProbePerService(db, 'asc')).rows.map(({ service, at }) => [service, at]));
}

const orders = makeOrders({ checked: { column: 'at', type: 'time' } });

function selectMatchingProbes(db: DbOrTx, { search, service, state }: ProbeFilter) {
  let query = db.selectFrom('probes');
  if (search) query = query.where('detail', 'ilike', containsPattern(search));
  if (service) query = query.where('service', '=', service);
  return state ? query.where('state', '=', state) : query;
}

export const listProbes = (
  db: DbOrTx,
  { sort, after, limit, ...filter }: ProbeFilter & Page & { sort: ProbeSort },
): Promise<(ProbeRow & { sortValue: number })[]> =>
  readKeysetPage(selectMatchingProbes(db, filter).selectAll(), { order: orders[sort], id: 'id', after, limit });

export const countProbes = (db: DbOrTx, filter: ProbeFilter): Promise<number> =>
  countRows(selectMatchingProbes(db, filter));

/** Deletes probes older than `olderThanS` seconds. Daily totals are kept. Returns the number of deleted probes. */
export async function deleteOldProbes(db: DbOrTx, olderThanS: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('probes')
    .where('at', '<', afterSeconds(-olderThanS))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/**
 * `failedAccounts`: number of accounts with failed images. `lateAccounts`: number of accounts with images that waited
 * too long.
 */
export type JobSignal = {
  ended: number;
  failed: number;
  failedAccounts: number;
  waitS: number | null;
  lateAccounts: number;
};
const emptyJobSignal: JobSignal = { ended: 0, failed: 0, failedAccounts: 0, waitS: null, lateAccounts: 0 };

/**
 * Reads statistics of images that ended in the last `windowS` seconds: how many failed in processing, and the 95th
 * percentile of their wait. Waits of more than `lateS` seconds count as too long.
 */
export async function readJobSignal(
  db: DbOrTx,
  { windowS, lateS }: { windowS: number; lateS: number },
): Promise<JobSignal> {
  const { rows } = await sql<JobSignal>`
    with ended as (
      select account_id, status = 'failed' and error_code like 'processing\\_%' as failed,
        extract(epoch from started_at - greatest(created_at, not_before)) as wait_s
      from jobs where kind = 'image' and status in ('completed', 'failed')
        and finished_at > now() - make_interval(secs => ${windowS})
    )
    select count(*)::int as ended, count(*) filter (where failed)::int as failed,
      count(distinct account_id) filter (where failed)::int as "failedAccounts",
      percentile_cont(0.95) within group (order by wait_s) as "waitS",
      count(distinct account_id) filter (where wait_s > ${lateS})::int as "lateAccounts"
    from ended`.execute(db);
  return rows[0] ?? emptyJobSignal;
}

/**
 * Returns the average processing time of images delivered in the last `days` days, in milliseconds. Null if no image
 * was delivered.
 */
export async function readProcessingMs(db: DbOrTx, days: number): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select (sum(run_ms) / nullif(sum(completed), 0))::float8 as ms from job_days
    where day > (now() at time zone 'utc')::date - ${days}::int`.execute(db);
  return rows[0]?.ms ?? null;
}

/** Returns the account's latest result that isn't deleted, with its SHA-256 (hex). */
export const findProbeResult = (
  db: DbOrTx,
  accountId: string,
): Promise<{ jobId: string; sha256: string | null } | undefined> =>
  db
    .selectFrom('jobs')
    .innerJoin('objects', 'objects.id', 'jobs.resultId')
    .select(['jobs.id as jobId', 'objects.sha256'])
    .where('jobs.accountId', '=', accountId)
    .where('jobs.status', '=', 'completed')
    .orderBy('jobs.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
