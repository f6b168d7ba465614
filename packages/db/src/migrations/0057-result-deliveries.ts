import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Results of batch items that are uploaded to a URL. */
export const resultDeliveries: Migration = {
  up: runAll([
    `create table result_deliveries (
      item_id uuid primary key references batch_items on delete cascade,
      target text,
      host text not null,
      status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
      attempts integer not null default 0,
      next_at timestamptz,
      lease_until timestamptz,
      answered integer,
      error text,
      delivered_at timestamptz
    )`,
    "create index result_deliveries_due on result_deliveries (next_at) where status = 'pending' and next_at is not null",
    'create index result_deliveries_leased on result_deliveries (lease_until) where lease_until is not null',
  ]),
  down: runAll(['drop table result_deliveries']),
};
