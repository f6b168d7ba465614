import type { ResultDeliveryError } from '@uprez/contracts/schemas/jobs/batch';
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import type { ResultDeliveriesTable } from '../../tables/job-tables.ts';
import { afterSeconds, now } from '../../times.ts';
import { selectCandidateQueues } from './waiting-queues.ts';

export type FoundDelivery = Omit<
  Selectable<ResultDeliveriesTable>,
  'target' | 'leaseUntil' | 'queueAccountId' | 'queueIsSandbox'
> & { hasTarget: boolean };

export const insertResultDeliveries = (tx: Tx, rows: readonly Insertable<ResultDeliveriesTable>[]) =>
  tx.insertInto('resultDeliveries').values(rows).execute();

/** Returns deliveries by item ID, without their targets. */
export async function findResultDeliveries(db: DbOrTx, itemIds: readonly string[]) {
  if (itemIds.length === 0) return new Map<string, never>();
  const rows = await db
    .selectFrom('resultDeliveries')
    .select(['itemId', 'host', 'status', 'attempts', 'nextAt', 'answered', 'error', 'deliveredAt'])
    .select(sql<boolean>`target is not null`.as('hasTarget'))
    .where('itemId', 'in', itemIds)
    .execute();
  return new Map(rows.map((row) => [row.itemId, row]));
}

/**
 * Returns SQL that makes the delivery of a completed job's result due, if its batch item has a delivery. Doesn't lock
 * the batch item.
 */
export const makeDeliveryDue = (jobId: RawBuilder<unknown>) => sql`
    update result_deliveries set next_at = now()
    where status = 'pending' and target is not null and item_id in (select id from batch_items where job_id = ${jobId})`;

/** Deletes the targets of items that ended without a result. */
export const deleteResultTargets = (tx: Tx, itemIds: readonly string[]) =>
  tx
    .updateTable('resultDeliveries')
    .set({ target: null })
    .where('itemId', 'in', itemIds)
    .where('status', '=', 'pending')
    .execute();

/** Deletes the target of a job's batch item. Call it when the job ends without a result. */
export const deleteTargetOfJob = (tx: Tx, jobId: string) =>
  tx
    .updateTable('resultDeliveries')
    .set({ target: null })
    .where('status', '=', 'pending')
    .where('itemId', 'in', (eb) => eb.selectFrom('batchItems').select('id').where('jobId', '=', jobId))
    .execute();

/**
 * Deletes the targets of items that ended without a result. Keeps the targets of failed jobs for `seconds` seconds
 * after the failure.
 */
export const deleteOrphanedTargets = (db: DbOrTx, seconds: number) =>
  sql`
    update result_deliveries set target = null
    from batch_items item left join jobs on jobs.id = item.job_id
    where item.id = result_deliveries.item_id and target is not null and next_at is null
      and result_deliveries.status = 'pending' and item.status <> 'waiting'
      and (item.status = 'cancelled' or jobs.id is null or jobs.status in ('cancelled', 'expired')
        or (jobs.status = 'failed' and jobs.finished_at <= ${afterSeconds(-seconds)}))`.execute(db);

/**
 * `attempts`: number of attempts, including this one. `key`: null if the result is deleted. `target`: the sealed URL.
 */
export type ClaimedResult = {
  itemId: string;
  target: string;
  attempts: number;
  /** Format of the result. `key`, `size`, and `sha256` describe its file. */
  format: string | null;
  key: string | null;
  size: number;
  sha256: string | null;
  /** Whether the delivery belongs to a free plan or the sandbox. */
  isFree: boolean;
};

type DeliveryClaimOptions = { leaseS: number; perAccount: number; withFree: boolean };

const selectDueDeliveries = (queue: RawBuilder<unknown>) => sql`
    select delivery.item_id, delivery.next_at as due_at, 0 as position from result_deliveries delivery
    where delivery.queue_account_id = ${queue}.queue_account_id and delivery.queue_is_sandbox = ${queue}.queue_is_sandbox
      and delivery.status = 'pending' and delivery.target is not null and delivery.next_at <= now()
    order by delivery.next_at`;

/**
 * Claims a due delivery. Chooses the account with the fewest running deliveries, and its longest-due delivery. An
 * account exceeds `perAccount` running deliveries only if two processes claim at the same time.
 */
export async function claimResultDelivery(db: DbOrTx, { leaseS, ...share }: DeliveryClaimOptions) {
  const candidates = selectCandidateQueues({
    ...share,
    table: sql`result_deliveries`,
    isWaiting: sql`status = 'pending' and target is not null and next_at is not null`,
    first: selectDueDeliveries(sql`queues`),
  });
  const { rows } = await sql<ClaimedResult>`
    with recursive running as (
      select queue_account_id as account_id, count(*) from result_deliveries where lease_until > now() group by 1
    ), ${candidates}, next as materialized (
      select delivery.item_id, candidates.is_free
      from candidates cross join lateral (${selectDueDeliveries(sql`candidates`)} limit 1 for update skip locked) delivery
      limit 1
    )
    update result_deliveries set attempts = attempts + 1, next_at = now() + make_interval(secs => ${leaseS}),
      lease_until = now() + make_interval(secs => ${leaseS})
    from next
    join batch_items on batch_items.id = next.item_id
    left join jobs on jobs.id = batch_items.job_id
    left join objects on objects.id = jobs.result_id and objects.state = 'stored'
    where result_deliveries.item_id = next.item_id
    returning result_deliveries.item_id as "itemId", target, result_deliveries.attempts, jobs.receipt ->> 'format' as format,
      objects.key, coalesce(objects.size, 0)::float8 as size, objects.sha256, next.is_free as "isFree"`.execute(db);
  return rows[0];
}

/** Outcome of an attempt. Without `retryS`, the delivery has ended and its target is deleted. */
export type ResultOutcome = {
  answered: number | null;
  error: ResultDeliveryError | null;
  retryS?: number | undefined;
};

/** Records the end of a claimed attempt, unless a later attempt has begun. */
export const settleResultDelivery = (
  db: DbOrTx,
  { itemId, attempts }: Pick<ClaimedResult, 'itemId' | 'attempts'>,
  { answered, error, retryS }: ResultOutcome,
) =>
  db
    .updateTable('resultDeliveries')
    .set({
      ...{ answered, error, leaseUntil: null },
      ...(retryS === undefined
        ? { status: error ? 'failed' : 'delivered', target: null, nextAt: null, ...(!error && { deliveredAt: now }) }
        : { nextAt: afterSeconds(retryS) }),
    })
    .where('itemId', '=', itemId)
    .where('attempts', '=', attempts)
    .where('status', '=', 'pending')
    .execute();
