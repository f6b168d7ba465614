import { type Kysely, type Migration, sql } from 'kysely';

/** Details that were stored with the former promise. Without them, presenters use the current title of the error. */
const formerDetails = ['jobs', 'batch_items'].map(
  (table) => `update ${table} set error_detail = null where error_detail like '%Nothing was charged.%'`,
);

const runAll = (lines: readonly string[]) => async (db: Kysely<unknown>) => {
  for (const line of lines) await sql.raw(line).execute(db);
};

/** Lists of batches are ordered by ID, and stored errors use the current texts. */
export const batchPages: Migration = {
  up: runAll([
    'drop index batches_account',
    'create index batches_account on batches (account_id, id)',
    ...formerDetails,
  ]),
  down: runAll(['drop index batches_account', 'create index batches_account on batches (account_id, created_at)']),
};
