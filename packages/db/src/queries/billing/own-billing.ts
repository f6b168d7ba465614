import type { Tier } from '@uprez/contracts/policy/plans';
import type { DbOrTx } from '../../database.ts';
import { now } from '../../times.ts';

export type BillingAccount = {
  tier: Tier;
  overrideTier: Tier | null;
  overrideUntil: Date | null;
  overrideReason: string | null;
  customerId: string | null;
  moneyBackAt: Date | null;
  /** When the first yearly price was paid. */
  yearlyPaidAt: Date | null;
  /** The time of the database. */
  now: Date;
};

/** What an account has apart from its subscription. Undefined if there is no account. */
export const findBillingAccount = (db: DbOrTx, accountId: string): Promise<BillingAccount | undefined> =>
  db
    .selectFrom('users')
    .leftJoin('billingCustomers as customer', 'customer.accountId', 'users.id')
    .select(['tier', 'overrideTier', 'overrideUntil', 'overrideReason', 'customer.moneyBackAt', now.as('now')])
    .select('customer.stripeId as customerId')
    .select((eb) =>
      eb
        .selectFrom('invoices')
        .innerJoin('invoiceLines as line', 'line.invoiceId', 'invoices.id')
        .innerJoin('prices', 'prices.id', 'line.priceId')
        .select((is) => is.fn.min('invoices.paidAt').as('paidAt'))
        .whereRef('invoices.customerId', '=', 'customer.stripeId')
        .where('invoices.status', '=', 'paid')
        .where('invoices.paid', '>', 0)
        .where('line.amount', '>', 0)
        .where('prices.interval', '=', 'year')
        .as('yearlyPaidAt'),
    )
    .where('users.id', '=', accountId)
    .executeTakeFirst();

export type OwnSubscription = NonNullable<Awaited<ReturnType<typeof findOwnSubscription>>>;

/**
 * The subscription of a customer that hasn't ended: the one in use, or that was begun last. With the prices that follow, and
 * the bill that couldn't be collected.
 */
export const findOwnSubscription = (db: DbOrTx, customerId: string) =>
  db
    .selectFrom('subscriptions as own')
    .leftJoin('prices as next', 'next.id', 'own.nextPriceId')
    .leftJoin('prices as pending', 'pending.id', 'own.pendingPriceId')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('invoices')
          .selectAll()
          .whereRef('subscriptionId', '=', 'own.id')
          .where('status', '=', 'open')
          .where('own.status', '=', 'past_due')
          .orderBy('createdAt', 'desc')
          .limit(1)
          .as('unpaid'),
      (join) => join.onTrue(),
    )
    .selectAll('own')
    .select(['next.tier as nextTier', 'next.interval as nextInterval', 'next.amount as nextPrice'])
    .select(['pending.tier as pendingTier', 'pending.interval as pendingInterval', 'pending.amount as pendingPrice'])
    .select(['unpaid.id as unpaidId', 'unpaid.due as unpaidDue', 'unpaid.paid as unpaidPaid'])
    .select(['unpaid.nextAttemptAt as unpaidRetryAt', 'unpaid.finalizedAt as unpaidFinalizedAt'])
    .where('own.customerId', '=', customerId)
    .where('own.status', 'not in', ['canceled', 'incomplete_expired'])
    .orderBy((eb) => eb('own.status', 'in', ['active', 'past_due']), 'desc')
    .orderBy('own.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
