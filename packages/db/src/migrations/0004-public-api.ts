import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';
import { webhookTables, webhookTablesUndone } from './0004-webhook-tables.ts';

const statements = [
  'alter table jobs drop constraint jobs_kind_check',
  `alter table jobs
    add constraint jobs_kind_check check (kind in ('image', 'preview', 'sandbox')),
    add notes text[] not null default '{}'`,
  'drop index jobs_previews',
  `create index jobs_of_no_book on jobs (status) where kind in ('preview', 'sandbox')`,
  // An identical picture with an identical recipe is found by its digest.
  `create index jobs_repeats on jobs (account_id, (receipt->'source'->>'sha256')) where status = 'completed'`,
  `alter table batches
    add api_key_id uuid references api_keys on delete set null,
    add is_sandbox boolean not null default false,
    add keeps_alpha boolean not null default false`,
  // A picture that is fetched: not before `fetch_at`, which is also how long somebody is at it.
  `alter table batch_items
    add image_url text,
    add fetch_at timestamptz not null default now(),
    add fetches integer not null default 0`,
  `create index batch_items_to_fetch on batch_items (fetch_at) where image_url is not null and status = 'waiting'`,
  ...webhookTables,
];

const undone = [
  ...webhookTablesUndone,
  'alter table batch_items drop image_url, drop fetch_at, drop fetches',
  'alter table batches drop api_key_id, drop is_sandbox, drop keeps_alpha',
  'drop index jobs_repeats, jobs_of_no_book',
  `delete from jobs where kind = 'sandbox'`,
  'alter table jobs drop constraint jobs_kind_check, drop notes',
  `alter table jobs add constraint jobs_kind_check check (kind in ('image', 'preview'))`,
  `create index jobs_previews on jobs (status) where kind = 'preview'`,
];

/** What jobs and batches made with a key of the public API say of themselves; the sandbox; events and webhooks. */
export const publicApi: Migration = { up: runAll(statements), down: runAll(undone) };
