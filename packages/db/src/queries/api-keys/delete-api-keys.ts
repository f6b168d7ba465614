import { type RawBuilder, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';

/**
 * Deletes the keys of a condition, and returns how many. They lose their secret, their counts, and their jobs. Their rows
 * stay, because the access log names them. Other rows are found by their account, whose index they share with other queries.
 */
async function deleteKeys(db: DbOrTx, condition: RawBuilder<unknown>): Promise<number> {
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
    )
    select count(*)::integer as count from gone`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Deletes a key of an account. False: it has no such key. */
export const deleteApiKey = async (db: DbOrTx, accountId: string, id: string): Promise<boolean> =>
  (await deleteKeys(db, sql`id = ${id} and account_id = ${accountId}`)) > 0;

/** Deletes all keys of an account. */
export const deleteKeysOf = (db: DbOrTx, accountId: string): Promise<number> =>
  deleteKeys(db, sql`account_id = ${accountId}`);

export const deleteAnyKey = (db: DbOrTx, id: string): Promise<number> => deleteKeys(db, sql`id = ${id}`);

/** Deletes the expired keys of an account except the last few. */
export const deleteOldApiKeys = (db: DbOrTx, accountId: string, kept: number): Promise<number> =>
  deleteKeys(
    db,
    sql`id in (
      select id from api_keys
      where account_id = ${accountId} and deleted_at is null and expires_at <= now() order by expires_at desc offset ${kept}
    )`,
  );
