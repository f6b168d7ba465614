import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const columns = 'add column queue_account_id uuid, add column queue_is_sandbox boolean';
const dropped = 'drop column queue_account_id, drop column queue_is_sandbox';

/**
 * The account of each image to fetch and of each result to upload, so that a claim finds the accounts that wait without reading
 * all that waits. Triggers set it, because services of the version before don't know the columns. Images of
 * deleted API keys are in no queue.
 */
export const queueAccounts: Migration = {
  up: runAll([
    `alter table result_deliveries ${columns}`,
    `create function set_delivery_account() returns trigger language plpgsql as $$
      begin
        select account_id, is_sandbox into new.queue_account_id, new.queue_is_sandbox
          from batch_items join batches on batches.id = batch_items.batch_id where batch_items.id = new.item_id;
        return new;
      end $$`,
    `create trigger set_delivery_account before insert or update of next_at on result_deliveries for each row
      when (new.queue_account_id is null) execute function set_delivery_account()`,
    `alter table batch_items ${columns}`,
    `create function set_item_account() returns trigger language plpgsql as $$
      begin
        select account_id, is_sandbox into new.queue_account_id, new.queue_is_sandbox from batches
          where id = new.batch_id and (surface = 'web' or api_key_id is not null);
        return new;
      end $$`,
    `create trigger set_item_account before insert or update of status, image_url on batch_items for each row
      when (new.queue_account_id is null and new.image_url is not null) execute function set_item_account()`,
  ]),
  down: runAll([
    'drop trigger set_item_account on batch_items',
    'drop trigger set_delivery_account on result_deliveries',
    'drop function set_item_account, set_delivery_account',
    `alter table batch_items ${dropped}`,
    `alter table result_deliveries ${dropped}`,
  ]),
};
