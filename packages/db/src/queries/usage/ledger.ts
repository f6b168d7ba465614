import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { prepareQuery } from '../../prepare-query.ts';
import type { ObjectKind } from '../../tables/job-tables.ts';
import type { LedgerTable } from '../../tables/usage-tables.ts';

export type LedgerRow = Selectable<LedgerTable>;

/** Inserts a ledger entry. Returns undefined if the job already has one of this kind. */
export const insertLedgerRow = (db: DbOrTx, row: Insertable<LedgerTable>) =>
  db
    .insertInto('ledger')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();

/**
 * Returns SQL that settles the open reservation of a job, if any. Locks the allowance first: the foreign key check
 * would lock it at the end of the statement, after locks that must come later.
 */
export const buildSettlement = (jobId: RawBuilder<unknown>, reason: string) => sql`
    insert into ledger (account_id, allowance_id, job_id, meter, kind, units, reason)
    select ledger.account_id, allowances.id, job_id, ledger.meter, 'settle', 0, ${reason}
    from ledger join allowances on allowances.id = ledger.allowance_id
    where job_id = ${jobId} and kind = 'reserve' for key share of allowances
    on conflict do nothing`;
const insertSettlement = prepareQuery((_db, { jobId, reason }: { jobId: string; reason: string }) =>
  buildSettlement(sql`${jobId}`, reason),
);

export const settleReservation = (db: DbOrTx, jobId: string, reason: string) => insertSettlement(db, { jobId, reason });

/** Inserts the reservations of several jobs. Throws if a job already has one. */
export const insertReservations = (db: DbOrTx, rows: readonly Insertable<LedgerTable>[]) =>
  db.insertInto('ledger').values(rows).execute();

export const findReservation = (db: DbOrTx, jobId: string) =>
  db.selectFrom('ledger').selectAll().where('jobId', '=', jobId).where('kind', '=', 'reserve').executeTakeFirst();

/** Lists the refunds and disputes that took back units from the given allowances. */
export const listReversals = (db: DbOrTx, allowanceIds: readonly string[]) =>
  db
    .selectFrom('ledger')
    .select(['allowanceId', 'ref'])
    .where('kind', '=', 'reverse')
    .where('allowanceId', '=', sql<string>`any(${allowanceIds}::uuid[])`)
    .execute();

/** Lists an account's ledger, newest entry first. `before`: ID of the last entry on the previous page. */
export function listLedger(
  db: DbOrTx,
  { accountId, before, limit }: { accountId: string; before: number | undefined; limit: number },
): Promise<LedgerRow[]> {
  let query = db.selectFrom('ledger').selectAll().where('accountId', '=', accountId);
  if (before !== undefined) query = query.where('id', '<', before);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

export async function countLedger(db: DbOrTx, accountId: string): Promise<number> {
  const counted = db.selectFrom('ledger').where('accountId', '=', accountId);
  return (await counted.select(({ fn }) => fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n;
}

export type LedgerError = { subject: string; error: string };

/** How many of the newest finished jobs or ledger entries to check. Undefined means all. */
type NewestLimit = number | undefined;

const selectNewestJobs = (newest: NewestLimit) =>
  newest === undefined
    ? sql`jobs`
    : sql`(select * from jobs where finished_at is not null order by finished_at desc limit ${newest}) jobs`;

const selectNewestEntries = (newest: NewestLimit) =>
  newest === undefined ? sql`ledger` : sql`(select * from ledger order by id desc limit ${newest}) ledger`;

const selectNewestAllowances = (newest: NewestLimit) =>
  newest === undefined
    ? sql`allowances`
    : sql`(select * from allowances where id in (select allowance_id from ${selectNewestEntries(newest)})) allowances`;

/**
 * Lists jobs with ledger entries that contradict their state. The entries of delivered and charged jobs must add up to -1
 * (settled). Those of other finished jobs, including jobs delivered free of charge, must add up to 0 (released).
 */
export async function listLedgerErrors(db: DbOrTx, newest?: NewestLimit): Promise<LedgerError[]> {
  const { rows } = await sql<LedgerError>`
    with books as (
      select jobs.id, jobs.kind, jobs.status, jobs.finished_at, jobs.error_code, jobs.cancel_units,
        jobs.receipt ->> 'freeReason' as free_reason,
        count(*) filter (where ledger.kind = 'reserve')::int as reserved,
        count(*) filter (where ledger.kind = 'settle')::int as settled,
        count(*) filter (where ledger.kind = 'release')::int as released,
        coalesce(sum(ledger.units), 0)::int as net
      from ${selectNewestJobs(newest)} left join ledger on ledger.job_id = jobs.id
      group by jobs.id, jobs.kind, jobs.status, jobs.finished_at, jobs.error_code, jobs.cancel_units,
        jobs.receipt ->> 'freeReason'
    ), judged as (
      select id, kind, status, reserved, settled, released, net, finished_at,
        case when status in ('queued', 'processing') then 'open'
             when error_code is null and free_reason is not null then 'free'
             when error_code is null then 'delivered'
             when error_code = 'cancelled' and cancel_units = 1 then 'charged' else 'undelivered' end as outcome
      from books
    )
    select 'job ' || id as subject,
      format('%s job is %s: reserved %s, settled %s, released %s, net %s', status, outcome, reserved, settled, released, net) as error
    from judged
    where (reserved, settled, released, net) is distinct from (case
        when kind in ('preview', 'sandbox') then (0, 0, 0, 0)
        when outcome = 'open' then (1, 0, 0, -1)
        when outcome in ('delivered', 'charged') then (1, 1, 0, -1)
        else (1, 0, 1, 0) end)
      or (outcome <> 'open') <> (finished_at is not null)`.execute(db);
  return rows;
}

/**
 * Lists allowances that differ from the sum of their ledger entries, and reservations without a job or a batch item.
 */
export async function listAllowanceErrors(db: DbOrTx, newest?: NewestLimit): Promise<LedgerError[]> {
  const { rows } = await sql<LedgerError>`
    select 'allowance ' || allowances.id as subject,
      format('%s of %s units left, the ledger says %s', units_left, allowances.units, booked.net) as error
    from ${selectNewestAllowances(newest)} cross join lateral (
      select coalesce(sum(units), 0) as net from ledger
      where allowance_id = allowances.id and account_id = allowances.account_id and meter = allowances.meter
    ) booked
    where units_left <> net or (units_left < 0 and hard_stop) or units_left > allowances.units
      or (closed_at is not null and units_left <> 0)
    union all
    select 'reservation ' || ledger.job_id, 'open, and there is neither such a job nor such an item of a batch'
    from ${selectNewestEntries(newest)}
    where kind = 'reserve'
      and not exists (select from ledger closed where closed.job_id = ledger.job_id and closed.kind in ('settle', 'release'))
      and not exists (select from jobs where jobs.id = ledger.job_id)
      and not exists (select from batch_items where unit_id = ledger.job_id and batch_items.status = 'waiting')`.execute(
    db,
  );
  return rows;
}

export async function countAllJobs(db: DbOrTx): Promise<number> {
  const counted = db.selectFrom('jobs').select(({ fn }) => fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}

/** Lists jobs that are still queued or processing more than `seconds` after their creation. */
export async function listUnfinishedJobs(db: DbOrTx, seconds: number): Promise<LedgerError[]> {
  const { rows } = await sql<LedgerError>`
    select 'job ' || id as subject, format('still %s after %s seconds', status, ${seconds}::text) as error from jobs
    where status in ('queued', 'processing') and created_at < now() - make_interval(secs => ${seconds})`.execute(db);
  return rows;
}

/** Lists completed jobs whose result or thumbnail has no row or isn't stored. */
export async function listJobsWithoutResult(db: DbOrTx, newest?: NewestLimit): Promise<LedgerError[]> {
  const { rows } = await sql<LedgerError>`
    select 'job ' || jobs.id as subject, 'completed without a stored ' || wanted.kind as error
    from ${selectNewestJobs(newest)}
    cross join lateral (values ('result', jobs.result_id), ('thumbnail', jobs.thumbnail_id)) as wanted (kind, id)
    left join objects on objects.id = wanted.id
    where jobs.status = 'completed' and objects.state is distinct from 'stored'`.execute(db);
  return rows;
}

export type StoredRow = {
  id: string;
  jobId: string | null;
  kind: ObjectKind;
  key: string;
  size: number;
  sha256: string;
};

/** Lists a page of stored objects, ordered by ID. */
export function listStoredObjects(db: DbOrTx, after: string | undefined): Promise<StoredRow[]> {
  let query = db
    .selectFrom('objects')
    .select(['id', 'jobId', 'kind', 'key', 'size', 'sha256'])
    .where('state', '=', 'stored');
  if (after) query = query.where('id', '>', after);
  return query.orderBy('id').limit(200).$castTo<StoredRow>().execute();
}
