import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const statements = [
  'alter table users add plan_ref text',
  `alter table allowances
    add ref text,
    add cycle integer check (cycle >= 0),
    add constraint allowances_cycle check ((ref is null) = (cycle is null))`,
  'drop index allowances_once',
  `create unique index allowances_once on allowances (account_id, tier, meter, starts_at)
    where source = 'plan' and ref is null`,
  `create unique index allowances_paid_once on allowances (account_id, ref, cycle, tier, meter)
    where source = 'plan' and ref is not null`,
];

const undone = [
  'drop index allowances_paid_once',
  'drop index allowances_once',
  `create unique index allowances_once on allowances (account_id, tier, meter, starts_at) where source = 'plan'`,
  'alter table allowances drop ref, drop cycle',
  'alter table users drop plan_ref',
];

/** Units that an invoice pays are given once per monthly cycle, also if Stripe moves the times of the invoice. */
export const paidCycles: Migration = { up: runAll(statements), down: runAll(undone) };
