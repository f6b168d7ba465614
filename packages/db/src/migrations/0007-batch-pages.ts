import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Details that were stored with the former promise. Without them, presenters use the current title of the error. */
const formerDetails = ['jobs', 'batch_items'].map(
  (table) => `update ${table} set error_detail = null where error_detail like '%Nothing was charged.%'`,
);

/** Lists of batches are ordered by ID, and stored errors use the current texts. */
export const batchPages: Migration = {
  up: runAll([
    'drop index batches_account',
    'create index batches_account on batches (account_id, id)',
    ...formerDetails,
  ]),
  down: runAll(['drop index batches_account', 'create index batches_account on batches (account_id, created_at)']),
};
