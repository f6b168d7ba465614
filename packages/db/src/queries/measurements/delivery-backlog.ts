import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';

/** Deliveries that are due, and that will be. `oldestS`: for how many seconds the first one has been due. */
export type DeliveryBacklog = { kind: 'webhook' | 'result'; due: number; scheduled: number; oldestS: number };

const backlog = sql`count(*) filter (where next_at <= now()) as due, count(*) filter (where next_at > now()) as scheduled,
  greatest(0, coalesce(extract(epoch from now() - min(next_at)), 0))::float8 as "oldestS"`;

/** Counts the pending deliveries of webhooks, and of results to URLs, in the indexes of those alone. */
export async function readDeliveryBacklog(db: DbOrTx): Promise<DeliveryBacklog[]> {
  const { rows } = await sql<DeliveryBacklog>`
    select 'webhook' as kind, ${backlog} from webhook_deliveries where status = 'pending'
    union all
    select 'result', ${backlog} from result_deliveries where status = 'pending' and next_at is not null`.execute(db);
  return rows;
}
