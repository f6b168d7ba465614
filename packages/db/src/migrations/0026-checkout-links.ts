import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const indexes = {
  leads_created: 'leads (created_at, id)',
  leads_email: 'leads (lower(email))',
  // The expression of queries/leads/list-leads.ts.
  leads_text: `leads using gin (lower(name || ' ' || email || ' ' || company) gin_trgm_ops)`,
};

/** Links with which administrators offer plans that aren't on sale to everybody, by email address. */
export const checkoutLinks: Migration = {
  up: runAll([
    `alter table leads add link_sent_at timestamptz, add link_interval text check (link_interval in ('month', 'year')),
      add link_sent_by uuid references users on delete set null,
      add check ((link_sent_at is null) = (link_interval is null))`,
    'create index leads_link_sent_by on leads (link_sent_by)',
    ...Object.entries(indexes).map(([name, on]) => `create index ${name} on ${on}`),
  ]),
  down: runAll([
    ...Object.keys(indexes).map((name) => `drop index ${name}`),
    'alter table leads drop link_sent_at, drop link_interval, drop link_sent_by',
  ]),
};
