import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { type RawBuilder, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { selectCandidateQueues } from './waiting-queues.ts';

/** `fetches`: number of fetches, including this one. `apiKeyId`: set for batches of the public API. */
type ItemToFetch = {
  id: string;
  batchId: string;
  accountId: string;
  tier: Tier;
  planVersion: number | null;
  apiKeyId: string | null;
  isSandbox: boolean;
  imageUrl: string;
  fetches: number;
  /** Whether the item belongs to a free plan or the sandbox. */
  isFree: boolean;
};

type ClaimOptions = { leaseS: number; perAccount: number; withFree: boolean };

const selectDueItems = (queue: RawBuilder<unknown>) => sql`
    select item.id, item.fetch_at as due_at, item.position, batches.api_key_id
    from batch_items item join batches on batches.id = item.batch_id
    where item.queue_account_id = ${queue}.queue_account_id and item.queue_is_sandbox = ${queue}.queue_is_sandbox
      and item.image_url is not null and item.status = 'waiting' and item.fetch_at <= now() and batches.expires_at > now()
      and (batches.surface = 'web' or batches.api_key_id is not null)
    order by item.fetch_at, item.position`;

/**
 * Claims an item with a URL that is due to be fetched. Chooses the account with the fewest running fetches, and its
 * longest-waiting item. An account exceeds `perAccount` running fetches only if two processes claim at the same time.
 * `withFree`: whether to include free plans and the sandbox.
 */
export async function claimItemToFetch(db: DbOrTx, { leaseS, ...share }: ClaimOptions) {
  const candidates = selectCandidateQueues({
    ...share,
    table: sql`batch_items`,
    isWaiting: sql`image_url is not null and status = 'waiting'`,
    first: selectDueItems(sql`queues`),
  });
  const { rows } = await sql<ItemToFetch>`
    with recursive running as (
      select queue_account_id as account_id, count(*) from batch_items
      where image_url is not null and status = 'waiting' and fetches > 0 and fetch_at > now()
      group by 1
    ), ${candidates}, next as materialized (
      select candidates.*, item.id, item.api_key_id
      from candidates cross join lateral (${selectDueItems(sql`candidates`)} limit 1 for update of item skip locked) item
      limit 1
    )
    update batch_items set fetch_at = now() + make_interval(secs => ${leaseS}), fetches = fetches + 1
    from next where batch_items.id = next.id
    returning batch_items.id, batch_items.batch_id as "batchId", next.queue_account_id as "accountId", next.tier,
      next.plan_version as "planVersion", next.api_key_id as "apiKeyId", next.queue_is_sandbox as "isSandbox",
      batch_items.image_url as "imageUrl", batch_items.fetches, next.is_free as "isFree"`.execute(db);
  return rows[0];
}

/**
 * Uses whole milliseconds, because `Date` loses microseconds and later updates must match the stored end of the claim
 * exactly.
 */
const toLeaseEnd = (seconds: number) =>
  sql<Date>`date_trunc('milliseconds', now()) + make_interval(secs => ${seconds}::float)`;

/**
 * Claims an item that no upload or fetch has claimed. Returns the end of the claim, or undefined if the item is claimed
 * or doesn't exist.
 */
export async function claimItemUpload(db: DbOrTx, itemId: string, leaseS: number): Promise<Date | undefined> {
  const taken = await db
    .updateTable('batchItems')
    .set({ fetchAt: toLeaseEnd(leaseS) })
    .where('id', '=', itemId)
    .where('fetchAt', '<=', sql<Date>`now()`)
    .returning('fetchAt')
    .execute();
  return taken[0]?.fetchAt;
}

type ItemClaim = { itemId: string; until: Date };

/** Extends an upload's claim on an item. Returns the new end, or undefined if another upload has claimed the item. */
export async function renewItemUpload(
  db: DbOrTx,
  { itemId, until, leaseS }: ItemClaim & { leaseS: number },
): Promise<Date | undefined> {
  const renewed = await updateClaimed(db, { itemId, until })
    .set({ fetchAt: toLeaseEnd(leaseS) })
    .returning('fetchAt')
    .execute();
  return renewed[0]?.fetchAt;
}

/** Releases an upload's claim on an item, unless another upload has claimed the item since. */
export const endItemUpload = (db: DbOrTx, claim: ItemClaim) =>
  updateClaimed(db, claim).set({ fetchAt: sql<Date>`now()` }).execute();

const updateClaimed = (db: DbOrTx, { itemId, until }: ItemClaim) =>
  db.updateTable('batchItems').where('id', '=', itemId).where('fetchAt', '=', until);
