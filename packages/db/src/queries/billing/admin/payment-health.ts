import { sql } from 'kysely';
import type { DbOrTx } from '../../../database.ts';
import { type AccountColumns, accountColumns } from './account-search.ts';

const maxRows = 20;

export type InboxCounts = { pendingEvents: number; oldestPendingAt: Date | null; pendingCustomers: number };

/** Counts the pending events, and the customers that must be read again. */
export async function countInbox(db: DbOrTx): Promise<InboxCounts> {
  const { rows } = await sql<InboxCounts>`
    select count(*)::integer as "pendingEvents", min(received_at) as "oldestPendingAt",
      (select count(*)::integer from billing_customers where wanted > mirrored) as "pendingCustomers"
    from stripe_events where state = 'pending'`.execute(db);
  return rows[0] ?? { pendingEvents: 0, oldestPendingAt: null, pendingCustomers: 0 };
}

export type FailingCustomer = AccountColumns & {
  customerId: string;
  failures: number;
  error: string | null;
  notBefore: Date;
};

/** Lists the customers whose latest read failed, most failures first. */
export const listFailingCustomers = (db: DbOrTx): Promise<FailingCustomer[]> =>
  db
    .selectFrom('billingCustomers as customer')
    .leftJoin('users', 'users.id', 'customer.accountId')
    .select(['customer.stripeId as customerId', 'customer.failures', 'customer.error', 'customer.notBefore'])
    .select(accountColumns)
    .whereRef('customer.wanted', '>', 'customer.mirrored')
    .where('customer.failures', '>', 0)
    .orderBy('customer.failures', 'desc')
    .limit(maxRows)
    .execute();

export type MultiSubscriptionAccount = AccountColumns & { subscriptionIds: string[] };

/** Lists the accounts with more than one live subscription. */
export const listMultiSubscriptionAccounts = (db: DbOrTx): Promise<MultiSubscriptionAccount[]> =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('subscriptions')
        .select(['customerId', sql<string[]>`array_agg(id order by created_at)`.as('subscriptionIds')])
        .where('status', 'in', ['active', 'past_due'])
        .groupBy('customerId')
        .having((is) => is(is.fn.countAll(), '>', 1))
        .limit(maxRows)
        .as('doubled'),
    )
    .innerJoin('billingCustomers as customer', 'customer.stripeId', 'doubled.customerId')
    .leftJoin('users', 'users.id', 'customer.accountId')
    .select(accountColumns)
    .select('doubled.subscriptionIds')
    .execute();

/**
 * Returns how many times in a row reading an account's customer has failed. Undefined if the account has no customer.
 */
export const findSyncFailures = (db: DbOrTx, accountId: string): Promise<{ failures: number } | undefined> =>
  db.selectFrom('billingCustomers').select('failures').where('accountId', '=', accountId).executeTakeFirst();

/** Returns the latest check of all subscriptions against Stripe. */
export const findLatestCheck = (
  db: DbOrTx,
): Promise<{ checked: number; found: number; finishedAt: Date } | undefined> =>
  db
    .selectFrom('stripeChecks')
    .select(['checked', 'found', 'finishedAt'])
    .where('kind', '=', 'subscriptions')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
