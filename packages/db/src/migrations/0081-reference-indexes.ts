import type { AnyMigration } from '../online-migrations.ts';
import { runAll } from '../run-all.ts';

/** Columns that refer to rows which are deleted. Without an index, each deletion reads the whole table. */
const columns = [
  ['idempotency_keys', 'job_id'],
  ['idempotency_keys', 'batch_id'],
  ['jobs', 'api_key_id'],
  ['batches', 'api_key_id'],
  ['api_keys', 'replaced_by'],
  ['allowances', 'account_id'],
  ['account_tasks', 'user_id'],
  ['account_tasks', 'object_id'],
  ['plan_pools', 'pool'],
  ['coupons', 'created_by'],
] as const;

const indexes = columns.map(([table, column]) => ({ name: `${table}_${column}_reference`, table, column }));

export const referenceIndexes: AnyMigration = {
  isConcurrent: true,
  up: runAll(
    indexes.flatMap(({ name, table, column }) => [
      `drop index concurrently if exists ${name}`,
      `create index concurrently ${name} on ${table} (${column}) where ${column} is not null`,
    ]),
  ),
  down: runAll(indexes.map(({ name }) => `drop index if exists ${name}`)),
};
