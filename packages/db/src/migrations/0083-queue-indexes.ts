import type { AnyMigration } from '../online-migrations.ts';
import { runAll } from '../run-all.ts';

const indexes = [
  {
    name: 'batch_items_fetch_queue',
    definition: `batch_items (queue_account_id, queue_is_sandbox, fetch_at, position)
      where image_url is not null and status = 'waiting'`,
  },
  { name: 'batch_items_waiting', definition: `batch_items (batch_id) where status = 'waiting'` },
  {
    name: 'result_deliveries_queue',
    definition: `result_deliveries (queue_account_id, queue_is_sandbox, next_at)
      where status = 'pending' and target is not null and next_at is not null`,
  },
  {
    name: 'webhook_deliveries_queue',
    definition: `webhook_deliveries (endpoint_id, lane, next_at) where status = 'pending'`,
  },
  {
    name: 'webhook_deliveries_retried',
    definition: `webhook_deliveries (endpoint_id, lane, next_at) where status = 'pending' and step > 0`,
  },
];

/**
 * Lets claims skip from account to account, webhooks from destination to destination, and the search for overdue batches from one
 * that waits to the next.
 */
export const queueIndexes: AnyMigration = {
  isConcurrent: true,
  up: runAll([
    `update batch_items set queue_account_id = account_id, queue_is_sandbox = is_sandbox from batches
      where batches.id = batch_items.batch_id and queue_account_id is null and image_url is not null
        and status = 'waiting' and (surface = 'web' or api_key_id is not null)`,
    `update result_deliveries set queue_account_id = account_id, queue_is_sandbox = is_sandbox
      from batch_items join batches on batches.id = batch_items.batch_id
      where batch_items.id = item_id and result_deliveries.queue_account_id is null and result_deliveries.status = 'pending'`,
    ...indexes.flatMap(({ name, definition }) => [
      `drop index concurrently if exists ${name}`,
      `create index concurrently ${name} on ${definition}`,
    ]),
  ]),
  down: runAll(indexes.map(({ name }) => `drop index if exists ${name}`)),
};
