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
  /** Of a free plan, or of the sandbox. */
  isFree: boolean;
};

type Taking = { leaseS: number; perAccount: number; withFree: boolean };

/**
 * Takes an item whose URL is to be fetched, of the account that has the fewest running fetches, the one that waits longest.
 * No account has more than `perAccount`, unless two processes claim at once. `withFree`: those of free plans and the sandbox, too.
 */
export async function takeItemToFetch(db: DbOrTx, { leaseS, perAccount, withFree }: Taking) {
  const isFree = sql`(users.tier = 'free' or batches.is_sandbox)`;
  const { rows } = await sql<ItemToFetch>`
    with running as (
      select batches.account_id, count(*) as fetches
      from batch_items join batches on batches.id = batch_items.batch_id
      where batch_items.image_url is not null and batch_items.status = 'waiting' and batch_items.fetches > 0
        and batch_items.fetch_at > now()
      group by 1
    ), next as (
      select batch_items.id, batches.account_id, batches.api_key_id, batches.is_sandbox, users.tier, users.plan_version,
        ${isFree} as is_free
      from batch_items
      join batches on batches.id = batch_items.batch_id
      join users on users.id = batches.account_id
      left join running on running.account_id = batches.account_id
      where batch_items.image_url is not null and batch_items.status = 'waiting' and batch_items.fetch_at <= now()
        and batches.expires_at > now() and users.suspended_at is null
        and (batches.surface = 'web' or batches.api_key_id is not null)
        and coalesce(running.fetches, 0) < ${perAccount} and (${withFree} or not ${isFree})
      order by coalesce(running.fetches, 0), batch_items.fetch_at, batch_items.position
      limit 1
      for update of batch_items skip locked
    )
    update batch_items set fetch_at = now() + make_interval(secs => ${leaseS}), fetches = fetches + 1
    from next where batch_items.id = next.id
    returning batch_items.id, batch_items.batch_id as "batchId", next.account_id as "accountId", next.tier,
      next.plan_version as "planVersion", next.api_key_id as "apiKeyId", next.is_sandbox as "isSandbox",
      batch_items.image_url as "imageUrl", batch_items.fetches, next.is_free as "isFree"`.execute(db);
  return rows[0];
}
