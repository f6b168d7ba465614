import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { type RawBuilder, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { candidateQueues } from './waiting-queues.ts';

/** `fetches`: this one included. `apiKeyId`: of a batch of the public API. */
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
  /** Of a free plan, or of the sandbox. */
  isFree: boolean;
};

type Taking = { leaseS: number; perAccount: number; withFree: boolean };

/** The due items of `queue`, a row of the queues. */
const dueItems = (queue: RawBuilder<unknown>) => sql`
    select item.id, item.fetch_at as due_at, item.position, batches.api_key_id
    from batch_items item join batches on batches.id = item.batch_id
    where item.queue_account_id = ${queue}.queue_account_id and item.queue_is_sandbox = ${queue}.queue_is_sandbox
      and item.image_url is not null and item.status = 'waiting' and item.fetch_at <= now() and batches.expires_at > now()
      and (batches.surface = 'web' or batches.api_key_id is not null)
    order by item.fetch_at, item.position`;

/**
 * Takes an item whose URL is to be fetched, of the account that has the fewest running fetches, the one that waits longest.
 * No account has more than `perAccount`, unless two processes claim at once. `withFree`: those of free plans and the sandbox, too.
 */
export async function takeItemToFetch(db: DbOrTx, { leaseS, ...share }: Taking) {
  const candidates = candidateQueues({
    ...share,
    table: sql`batch_items`,
    isWaiting: sql`image_url is not null and status = 'waiting'`,
    first: dueItems(sql`queues`),
  });
  const { rows } = await sql<ItemToFetch>`
    with recursive running as (
      select queue_account_id as account_id, count(*) from batch_items
      where image_url is not null and status = 'waiting' and fetches > 0 and fetch_at > now()
      group by 1
    ), ${candidates}, next as materialized (
      select candidates.*, item.id, item.api_key_id
      from candidates cross join lateral (${dueItems(sql`candidates`)} limit 1 for update of item skip locked) item
      limit 1
    )
    update batch_items set fetch_at = now() + make_interval(secs => ${leaseS}), fetches = fetches + 1
    from next where batch_items.id = next.id
    returning batch_items.id, batch_items.batch_id as "batchId", next.queue_account_id as "accountId", next.tier,
      next.plan_version as "planVersion", next.api_key_id as "apiKeyId", next.queue_is_sandbox as "isSandbox",
      batch_items.image_url as "imageUrl", batch_items.fetches, next.is_free as "isFree"`.execute(db);
  return rows[0];
}

/** Without the microseconds that a `Date` loses. */
const lease = (seconds: number) =>
  sql<Date>`date_trunc('milliseconds', now()) + make_interval(secs => ${seconds}::float)`;

/** Takes an item that nobody uploads or fetches. Returns until when, or undefined. */
export async function takeItemUpload(db: DbOrTx, itemId: string, leaseS: number): Promise<Date | undefined> {
  const taken = await db
    .updateTable('batchItems')
    .set({ fetchAt: lease(leaseS) })
    .where('id', '=', itemId)
    .where('fetchAt', '<=', sql<Date>`now()`)
    .returning('fetchAt')
    .execute();
  return taken[0]?.fetchAt;
}

type Claim = { itemId: string; until: Date };

/** Keeps an item for longer. Returns until when; undefined if another upload has it. */
export async function renewItemUpload(
  db: DbOrTx,
  { itemId, until, leaseS }: Claim & { leaseS: number },
): Promise<Date | undefined> {
  const renewed = await updateClaimed(db, { itemId, until })
    .set({ fetchAt: lease(leaseS) })
    .returning('fetchAt')
    .execute();
  return renewed[0]?.fetchAt;
}

/** Lets others upload an item, unless they do already. */
export const endItemUpload = (db: DbOrTx, claim: Claim) =>
  updateClaimed(db, claim).set({ fetchAt: sql<Date>`now()` }).execute();

const updateClaimed = (db: DbOrTx, { itemId, until }: Claim) =>
  db.updateTable('batchItems').where('id', '=', itemId).where('fetchAt', '=', until);
