import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';

/** Deliveries that are due, and that will be. `oldestS`: for how many seconds the first one has been due. */
export type DeliveryBacklog = { kind: 'webhook' | 'result'; due: number; scheduled: number; oldestS: number };

const backlog = sql`count(*) filter (where next_at <= now()) as due, count(*) filter (where next_at > now()) as scheduled,
  greatest(0, coalesce(extract(epoch from now() - min(next_at)), 0))::float8 as "oldestS"`;

/** Counts the pending deliveries of webhooks, and of results to URLs, which wait while their account is suspended. */
export async function readDeliveryBacklog(db: DbOrTx): Promise<DeliveryBacklog[]> {
  const { rows } = await sql<DeliveryBacklog>`
    select 'webhook' as kind, ${backlog} from webhook_deliveries where status = 'pending'
    union all
    select 'result', ${backlog} from result_deliveries
      join batch_items on batch_items.id = item_id join batches on batches.id = batch_id
      join users on users.id = batches.account_id
    where result_deliveries.status = 'pending' and next_at is not null and suspended_at is null`.execute(db);
  return rows;
}
