import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';

/** Maximum number of files marked for deletion that are read to find the oldest file. */
const maxDeletingRows = 1_000;

/**
 * Returns how long the most overdue file that still exists has been past its retention period, in seconds. Returns 0 if
 * no file is overdue.
 */
export async function readOverdueSeconds(db: DbOrTx): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select greatest(0, coalesce(extract(epoch from now() - least(
      (select min(expires_at) from jobs where status = 'completed'),
      (select min(expires_at) from objects where expires_at is not null),
      (select min(jobs.expires_at) from (
        select job_id from objects where state = 'deleting' order by created_at limit ${maxDeletingRows}
      ) deleting join jobs on jobs.id = deleting.job_id)
    )), 0))::float8 as seconds`.execute(db);
  return rows[0]?.seconds ?? 0;
}

type StoredTotals = { state: 'writing' | 'stored' | 'deleting'; files: number; bytes: number };

/** Returns the number of files and bytes by state, read from an index. States without files are left out. */
export async function readStoredTotals(db: DbOrTx): Promise<StoredTotals[]> {
  const { rows } = await sql<StoredTotals>`
    select state, count(*) as files, coalesce(sum(size), 0)::float8 as bytes from objects group by state`.execute(db);
  return rows;
}

/** Number of emails to be sent. `oldestS`: age of the oldest email in seconds, excluding campaign emails. */
type MailBacklog = { single: number; campaign: number; oldestS: number };

/** Counts the emails to be sent, using partial indexes over them. */
export async function readMailBacklog(db: DbOrTx): Promise<MailBacklog> {
  const { rows } = await sql<MailBacklog>`
    select count(*) as single, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestS",
      (select count(*) from campaign_mails where state = 'pending') as campaign
    from outbox where sent_at is null and failed_at is null and kind = 'mail'`.execute(db);
  return rows[0] ?? { single: 0, campaign: 0, oldestS: 0 };
}

/**
 * Deliveries that are due now, and deliveries scheduled for later. `oldestS`: how long the most overdue delivery has
 * been due, in seconds.
 */
type DeliveryBacklog = { kind: 'webhook' | 'result'; due: number; scheduled: number; oldestS: number };

const backlogColumns = sql`count(*) filter (where next_at <= now()) as due, count(*) filter (where next_at > now()) as scheduled,
  greatest(0, coalesce(extract(epoch from now() - min(next_at)), 0))::float8 as "oldestS"`;

/**
 * Counts the pending deliveries of webhooks and of results to URLs. Excludes results of suspended accounts, because
 * their deliveries are on hold.
 */
export async function readDeliveryBacklog(db: DbOrTx): Promise<DeliveryBacklog[]> {
  const { rows } = await sql<DeliveryBacklog>`
    select 'webhook' as kind, ${backlogColumns} from webhook_deliveries where status = 'pending'
    union all
    select 'result', ${backlogColumns} from result_deliveries
      join batch_items on batch_items.id = item_id join batches on batches.id = batch_id
      join users on users.id = batches.account_id
    where result_deliveries.status = 'pending' and next_at is not null and suspended_at is null`.execute(db);
  return rows;
}
