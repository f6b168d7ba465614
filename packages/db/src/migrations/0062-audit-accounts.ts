import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Fills the account of existing rows about something that belongs to one. `key`: the ID of the row of `from`. */
const fill = (kind: string, { from, key, owner }: Record<'from' | 'key' | 'owner', string>) =>
  `update audits set account_id = owned.account_id
    from (select ${key}::text as id, ${owner} as account_id from ${from}) as owned
    where audits.subject = '${kind}:' || owned.id and owned.account_id is not null`;
const ofCustomer = (kind: string, table: string) =>
  fill(kind, {
    from: `${table} join billing_customers customer on customer.stripe_id = ${table}.customer_id`,
    key: `${table}.id`,
    owner: 'coalesce(customer.account_id, customer.former_account_id)',
  });
const ofAccount = (kind: string, table: string, owner = 'account_id') => fill(kind, { from: table, key: 'id', owner });

/**
 * Rows of the audit log name the account that they are about, also indirectly: a refund is about its customer. Without a
 * foreign key, because rows are never changed.
 */
export const auditAccounts: Migration = {
  up: runAll([
    'alter table audits add account_id uuid',
    'alter table audits disable trigger keep_audits',
    ofAccount('user', 'users', 'id'),
    ofCustomer('payment', 'payments'),
    ofCustomer('subscription', 'subscriptions'),
    ofCustomer('stripe_event', 'stripe_events'),
    ofAccount('api_key', 'api_keys'),
    ofAccount('job', 'jobs'),
    ofAccount('ticket', 'tickets'),
    ofAccount('lead', 'leads'),
    ofAccount('anomaly', 'anomalies', 'user_id'),
    'alter table audits enable trigger keep_audits',
  ]),
  down: runAll(['alter table audits drop account_id']),
};
