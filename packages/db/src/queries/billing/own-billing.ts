import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { sql } from 'kysely';
import type { Db, DbOrTx } from '../../database.ts';
import { prepareQuery } from '../../prepare-query.ts';
import { now } from '../../times.ts';
import { isOfBegunSubscription, wasSubscriptionBegun } from './payments.ts';

export type BillingAccount = {
  tier: Tier;
  emailVerified: boolean;
  overrideTier: Tier | null;
  overrideUntil: Date | null;
  overrideReason: string | null;
  customerId: string | null;
  moneyBackAt: Date | null;
  /** The first paid invoice with a yearly price. Null if there is none. */
  yearlyInvoiceId: string | null;
  yearlyPaidAt: Date | null;
  yearlySubscriptionId: string | null;
  /** Amount of the yearly invoice that hasn't been refunded, in cents. */
  yearlyAmount: number | null;
  /** The database's current time. */
  now: Date;
};

const selectAccount = prepareQuery((db, { accountId }: { accountId: string }) =>
  db
    .selectFrom('users')
    .leftJoin('billingCustomers as customer', 'customer.accountId', 'users.id')
    .select([
      'tier',
      'emailVerified',
      'overrideTier',
      'overrideUntil',
      'overrideReason',
      'customer.moneyBackAt',
      now.as('now'),
    ])
    .select('customer.stripeId as customerId')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('invoices')
          .innerJoin('invoiceLines as line', 'line.invoiceId', 'invoices.id')
          .innerJoin('prices', 'prices.id', 'line.priceId')
          .select(['invoices.id', 'invoices.paidAt', 'invoices.subscriptionId'])
          .select(sql<number>`invoices.paid - invoices.refunded`.as('amount'))
          .whereRef('invoices.customerId', '=', 'customer.stripeId')
          .where('invoices.status', '=', 'paid')
          .where('invoices.paid', '>', 0)
          .where('line.amount', '>', 0)
          .where('prices.interval', '=', 'year')
          .orderBy('invoices.paidAt')
          .limit(1)
          .as('yearly'),
      (join) => join.onTrue(),
    )
    .select(['yearly.id as yearlyInvoiceId', 'yearly.paidAt as yearlyPaidAt', 'yearly.amount as yearlyAmount'])
    .select('yearly.subscriptionId as yearlySubscriptionId')
    .where('users.id', '=', accountId),
);

/** Returns an account's billing data except its subscription. Returns undefined if the account doesn't exist. */
export const findBillingAccount = async (db: DbOrTx, accountId: string): Promise<BillingAccount | undefined> =>
  (await selectAccount(db, { accountId }))[0];

export type OwnSubscription = NonNullable<Awaited<ReturnType<typeof findOwnSubscription>>>;

const ownColumns = [
  'own.id',
  'own.status',
  'own.priceId',
  'own.tier',
  'own.planVersion',
  'own.interval',
  'own.amount',
  'own.currency',
  'own.periodStart',
  'own.periodEnd',
  'own.anchor',
  'own.cancelAt',
  'own.cancelsAtPeriodEnd',
  'own.isPaused',
  'own.pausedUntil',
  'own.scheduleId',
  'own.nextPriceId',
  'own.nextAt',
  'own.pendingPriceId',
  'own.pendingUntil',
  'own.cardBrand',
  'own.cardLast4',
  'own.cardExpMonth',
  'own.cardExpYear',
  'own.latestInvoiceId',
  'own.nextAmount',
  'own.pastDueAt',
] as const;

const selectOwnSubscription = prepareQuery((db, { customerId }: { customerId: string }) =>
  db
    .selectFrom('subscriptions as own')
    .leftJoin('prices as next', 'next.id', 'own.nextPriceId')
    .leftJoin('prices as pending', 'pending.id', 'own.pendingPriceId')
    .leftJoin('payments as latest', (join) =>
      join.onRef('latest.invoiceId', '=', 'own.latestInvoiceId').on('latest.status', '=', 'processing'),
    )
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
    .select(ownColumns)
    .select(['next.tier as nextTier', 'next.interval as nextInterval', 'next.amount as nextPrice'])
    .select(['pending.tier as pendingTier', 'pending.interval as pendingInterval', 'pending.amount as pendingPrice'])
    .select(({ eb }) => eb('latest.id', 'is not', null).as('isProcessing'))
    .select(wasSubscriptionBegun('own').as('isBegun'))
    .select(['unpaid.id as unpaidId', 'unpaid.due as unpaidDue', 'unpaid.paid as unpaidPaid'])
    .select(['unpaid.nextAttemptAt as unpaidRetryAt', 'unpaid.finalizedAt as unpaidFinalizedAt'])
    .where('own.customerId', '=', customerId)
    .where('own.status', 'not in', ['canceled', 'incomplete_expired'])
    .orderBy((eb) => eb('own.status', 'in', ['active', 'past_due']), 'desc')
    .orderBy('isBegun', 'desc')
    .orderBy('own.createdAt', 'desc')
    .limit(1),
);

/**
 * Returns a customer's subscription that hasn't ended: the live one, or else the one that was started last. Includes
 * the next and pending prices, and the unpaid invoice. If `isBegun` is false, the subscription is from a checkout that
 * was only opened, or that was paid just now.
 */
export const findOwnSubscription = async (db: DbOrTx, customerId: string) =>
  (await selectOwnSubscription(db, { customerId }))[0];

/** The largest line determines what an invoice is for. */
const selectOwnInvoices = (db: DbOrTx, accountId: string) =>
  db
    .selectFrom('invoices')
    .innerJoin('billingCustomers as customer', 'customer.stripeId', 'invoices.customerId')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('invoiceLines')
          .leftJoin('prices', 'prices.id', 'invoiceLines.priceId')
          .select([
            'invoiceLines.description',
            'prices.tier',
            'prices.interval',
            'prices.packUnits',
            'prices.packMeter',
          ])
          .whereRef('invoiceLines.invoiceId', '=', 'invoices.id')
          .orderBy('invoiceLines.amount', 'desc')
          .limit(1)
          .as('line'),
      (join) => join.onTrue(),
    )
    .selectAll('invoices')
    .select(['line.description as lineDescription', 'line.tier', 'line.interval', 'line.packUnits', 'line.packMeter'])
    .where((eb) => eb.or([eb('customer.accountId', '=', accountId), eb('customer.formerAccountId', '=', accountId)]))
    .where(isOfBegunSubscription)
    .orderBy('invoices.createdAt', 'desc')
    .orderBy('invoices.id', 'desc');

export type OwnInvoice = Awaited<ReturnType<typeof listOwnInvoices>>[number];
type InvoicePageQuery = { accountId: string; before?: string | undefined; limit?: number | undefined };

/**
 * Lists an account's invoices, newest first. `before`: ID of the previous page's last invoice. Without `limit`, lists
 * all.
 */
export function listOwnInvoices(db: Db, { accountId, before, limit }: InvoicePageQuery) {
  let query = selectOwnInvoices(db, accountId);
  if (before)
    query = query.where(
      sql<boolean>`(invoices.created_at, invoices.id) < (select created_at, id from invoices where id = ${before})`,
    );
  return (limit ? query.limit(limit) : query).execute();
}

export const isOwnInvoice = async (db: Db, { accountId, id }: { accountId: string; id: string }): Promise<boolean> =>
  (await selectOwnInvoices(db, accountId).where('invoices.id', '=', id).executeTakeFirst()) !== undefined;
