import type { Tier } from '@uprez/contracts/policy/plans';
import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';

/** `fetches`: this one included. `apiKeyId`: of a batch of the public API. */
export type ItemToFetch = {
  id: string;
  batchId: string;
  accountId: string;
  tier: Tier;
  planVersion: number | null;
  apiKeyId: string | null;
  isSandbox: boolean;
  imageUrl: string;
  fetches: number;
};

/** Take the item that waits longest for its URL to be fetched, unless its account has `perAccount` fetches. */
export async function takeItemToFetch(db: DbOrTx, { leaseS, perAccount }: { leaseS: number; perAccount: number }) {
  const { rows } = await sql<ItemToFetch>`
    with busy as (
      select batches.account_id from batch_items join batches on batches.id = batch_items.batch_id
      where batch_items.image_url is not null and batch_items.status = 'waiting' and batch_items.fetches > 0
        and batch_items.fetch_at > now()
      group by 1 having count(*) >= ${perAccount}
    ), next as (
      select batch_items.id, batches.account_id, batches.api_key_id, batches.is_sandbox, users.tier, users.plan_version
      from batch_items
      join batches on batches.id = batch_items.batch_id
      join users on users.id = batches.account_id
      where batch_items.image_url is not null and batch_items.status = 'waiting' and batch_items.fetch_at <= now()
        and batches.expires_at > now() and users.suspended_at is null
        and (batches.surface = 'web' or batches.api_key_id is not null)
        and batches.account_id not in (select account_id from busy)
      order by batch_items.fetch_at, batch_items.position
      limit 1
      for update of batch_items skip locked
    )
    update batch_items set fetch_at = now() + make_interval(secs => ${leaseS}), fetches = fetches + 1
    from next where batch_items.id = next.id
    returning batch_items.id, batch_items.batch_id as "batchId", next.account_id as "accountId", next.tier,
      next.plan_version as "planVersion", next.api_key_id as "apiKeyId", next.is_sandbox as "isSandbox",
      batch_items.image_url as "imageUrl", batch_items.fetches`.execute(db);
  return rows[0];
}
