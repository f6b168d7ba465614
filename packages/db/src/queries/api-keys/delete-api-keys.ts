import { type RawBuilder, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';

/**
 * Deletes the keys that match a condition, and returns the number of deleted keys. Keeps the rows of the keys and marks
 * them as deleted, because the access log references them. Deletes the secrets and daily counts of the keys, clears the
 * references to them in jobs and batches, and takes the waiting image URLs of those batches out of the fetch queue.
 * Finds related rows by account, so that the query can use an existing index.
 */
const deleteKeys = (db: DbOrTx, condition: RawBuilder<unknown>): Promise<number> => {
  const work = async (tx: Tx) => {
    await lockDependentRows(tx, condition);
    return deleteLockedKeys(tx, condition);
  };
  return db.isTransaction ? work(db as Tx) : db.transaction().execute(work);
};

/**
 * Locks the rows that a deletion changes, and then the keys. Follows the lock order of all transactions: the
 * transaction for an uploaded file locks its batch before its job references the key.
 */
async function lockDependentRows(tx: Tx, condition: RawBuilder<unknown>): Promise<void> {
  const gone = sql`(select id, account_id from api_keys where deleted_at is null and ${condition})`;
  const { rows } = await sql<{ id: string }>`
    select batches.id from batches join ${gone} gone
      on batches.account_id = gone.account_id and batches.api_key_id = gone.id
    order by batches.id for no key update of batches`.execute(tx);
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0)
    await sql`
      select from batch_items where batch_id = any(${ids}::uuid[]) and status = 'waiting' and image_url is not null
      order by batch_id, position for no key update`.execute(tx);
  await sql`
    select from jobs join ${gone} gone on jobs.account_id = gone.account_id and jobs.api_key_id = gone.id
    order by jobs.id for no key update of jobs`.execute(tx);
  // Waits for transactions that insert jobs or batches of the keys, so that the next statement sees them.
  await sql`select from api_keys where deleted_at is null and ${condition} order by id for update`.execute(tx);
}

async function deleteLockedKeys(tx: Tx, condition: RawBuilder<unknown>): Promise<number> {
  const gone = sql`(select id from gone)`;
  const { rows } = await sql<{ count: number }>`
    with gone as (
      update api_keys set deleted_at = now(), secret_hash = null, replaced_by = null
      where deleted_at is null and ${condition} returning id, account_id
    ),
    replaced as (
      update api_keys set replaced_by = null from gone
      where api_keys.account_id = gone.account_id and replaced_by = gone.id and api_keys.id not in ${gone}
        and deleted_at is null
    ),
    days as (delete from api_key_days where key_id in ${gone}),
    of_jobs as (
      update jobs set api_key_id = null from gone where jobs.account_id = gone.account_id and jobs.api_key_id = gone.id
    ),
    of_batches as (
      update batches set api_key_id = null from gone
      where batches.account_id = gone.account_id and batches.api_key_id = gone.id
      returning batches.id
    ),
    of_items as (
      update batch_items set queue_account_id = null, queue_is_sandbox = null
      where batch_id in (select id from of_batches) and status = 'waiting' and image_url is not null
    )
    select count(*)::integer as count from gone`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Deletes a key of an account. Returns false if the account has no such key. */
export const deleteApiKey = async (db: DbOrTx, accountId: string, id: string): Promise<boolean> =>
  (await deleteKeys(db, sql`id = ${id} and account_id = ${accountId}`)) > 0;

export const deleteAccountKeys = (db: DbOrTx, accountId: string): Promise<number> =>
  deleteKeys(db, sql`account_id = ${accountId}`);

export const deleteAnyKey = (db: DbOrTx, id: string): Promise<number> => deleteKeys(db, sql`id = ${id}`);

/** Deletes the expired keys of an account, except the `kept` that expired last. */
export const deleteOldApiKeys = (db: DbOrTx, accountId: string, kept: number): Promise<number> =>
  deleteKeys(
    db,
    sql`id in (
      select id from api_keys
      where account_id = ${accountId} and deleted_at is null and expires_at <= now() order by expires_at desc offset ${kept}
    )`,
  );
