import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Prices at Stripe, of plans or packs. Amounts are cents. Rows stay when a price is no longer sold: subscriptions keep it. */
export const prices: Migration = {
  up: runAll([
    `create table prices (
      id text primary key,
      tier text,
      pack text,
      interval text not null check (interval in ('month', 'year', 'once')),
      plan_version int,
      amount int not null check (amount > 0),
      currency text not null,
      lookup_key text not null,
      active boolean not null,
      created_at timestamptz not null default now(),
      check ((tier is null) <> (pack is null)),
      check ((tier is null) = (plan_version is null)),
      check ((tier is null) = (interval = 'once'))
    )`,
    'create unique index prices_active on prices (tier, interval) where active',
    'create unique index prices_active_key on prices (lookup_key) where active',
  ]),
  down: runAll(['drop table prices']),
};
