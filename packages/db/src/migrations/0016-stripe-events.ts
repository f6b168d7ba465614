import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/**
 * Customers at Stripe, and the events that say that one of them changed. A customer whose `wanted` exceeds `mirrored` is
 * read from Stripe again. New ones are read once, because their first events may arrive before their row is there.
 */
export const stripeEvents: Migration = {
  up: runAll([
    `create table billing_customers (
      stripe_id text primary key,
      account_id uuid unique references users on delete set null,
      wanted integer not null default 1,
      mirrored integer not null default 0 check (mirrored <= wanted),
      created_at timestamptz not null default now()
    )`,
    `create table stripe_events (
      id text primary key,
      type text not null,
      object_type text not null,
      object_id text,
      customer_id text,
      payment_intent_id text,
      state text not null check (state in ('pending', 'done', 'ignored')),
      created_at timestamptz not null,
      received_at timestamptz not null default now()
    )`,
  ]),
  down: runAll(['drop table stripe_events', 'drop table billing_customers']),
};
