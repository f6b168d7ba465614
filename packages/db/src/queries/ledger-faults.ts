import { sql } from 'kysely';
import type { DbOrTx } from '../database.ts';

export type LedgerFault = { jobId: string; fault: string };

/**
 * Jobs whose ledger does not say what their state says. Delivered jobs (completed, or expired after delivery): net -1,
 * settled. Failed and cancelled ones: net 0, released. Unfinished ones: reserved and still open.
 */
export async function listLedgerFaults(db: DbOrTx): Promise<LedgerFault[]> {
  const { rows } = await sql<LedgerFault>`
    with books as (
      select jobs.id, jobs.status, jobs.finished_at, jobs.error_code,
        count(*) filter (where ledger.kind = 'reserve')::int as reserved,
        count(*) filter (where ledger.kind = 'settle')::int as settled,
        count(*) filter (where ledger.kind = 'release')::int as released,
        coalesce(sum(ledger.units), 0)::int as net
      from jobs left join ledger on ledger.job_id = jobs.id
      group by jobs.id
    ), judged as (
      select id, status, reserved, settled, released, net, finished_at,
        case when status in ('queued', 'processing') then 'open'
             when error_code is null then 'delivered' else 'undelivered' end as outcome
      from books
    )
    select id as "jobId",
      format('%s job is %s: reserved %s, settled %s, released %s, net %s', status, outcome, reserved, settled, released, net) as fault
    from judged
    where (reserved, settled, released, net) is distinct from (case outcome
        when 'open' then (1, 0, 0, -1)
        when 'delivered' then (1, 1, 0, -1)
        else (1, 0, 1, 0) end)
      or (outcome <> 'open') <> (finished_at is not null)`.execute(db);
  return rows;
}

export async function countAllJobs(db: DbOrTx): Promise<number> {
  const counted = await db
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return counted.n;
}

/** Jobs that are queued or running, older than `seconds`. */
export async function listUnfinishedJobs(db: DbOrTx, seconds: number): Promise<LedgerFault[]> {
  const { rows } = await sql<LedgerFault>`
    select id as "jobId", format('still %s after %s seconds', status, ${seconds}::text) as fault from jobs
    where status in ('queued', 'processing') and created_at < now() - make_interval(secs => ${seconds})`.execute(db);
  return rows;
}

/** Completed jobs whose result or thumbnail has no row or is not stored. */
export async function listJobsWithoutResult(db: DbOrTx): Promise<LedgerFault[]> {
  const { rows } = await sql<LedgerFault>`
    select jobs.id as "jobId", 'completed without a stored ' || wanted.kind as fault
    from jobs
    cross join lateral (values ('result', jobs.result_id), ('thumbnail', jobs.thumbnail_id)) as wanted (kind, id)
    left join objects on objects.id = wanted.id
    where jobs.status = 'completed' and objects.state is distinct from 'stored'`.execute(db);
  return rows;
}

export type StoredRow = { id: string; jobId: string | null; kind: string; key: string; size: number; sha256: string };

/** Stored objects in the order of their ids, a page at a time. */
export function listStoredObjects(db: DbOrTx, after: string | undefined): Promise<StoredRow[]> {
  let query = db
    .selectFrom('objects')
    .select(['id', 'job_id as jobId', 'kind', 'key', 'size', 'sha256'])
    .where('state', '=', 'stored');
  if (after) query = query.where('id', '>', after);
  return query.orderBy('id').limit(200).$castTo<StoredRow>().execute();
}
