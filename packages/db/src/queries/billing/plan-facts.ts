import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { type Selectable, sql } from 'kysely';
import type { Db, DbOrTx } from '../../database.ts';
import type { InvoiceLinesTable, InvoicesTable, SubscriptionsTable } from '../../tables/billing-tables.ts';
import { now } from '../../times.ts';

type LiveSubscription = Selectable<SubscriptionsTable> & { nextTier: Tier | null; nextPlanVersion: number | null };

/** Lists an account's live subscriptions, with the plans of their scheduled next prices. */
export const listLiveSubscriptions = (db: DbOrTx, accountId: string): Promise<LiveSubscription[]> =>
  db
    .selectFrom('subscriptions')
    .innerJoin('billingCustomers as customer', 'customer.stripeId', 'subscriptions.customerId')
    .leftJoin('prices as next', 'next.id', 'subscriptions.nextPriceId')
    .selectAll('subscriptions')
    .select(['next.tier as nextTier', 'next.planVersion as nextPlanVersion'])
    .where('customer.accountId', '=', accountId)
    .where('subscriptions.status', 'in', ['active', 'past_due'])
    .execute();

type PriceLine = Pick<Selectable<InvoiceLinesTable>, 'invoiceId' | 'periodStart' | 'periodEnd'> &
  Pick<Selectable<InvoicesTable>, 'reason' | 'finalizedAt'> & {
    subscriptionId: string;
    status: 'draft' | 'open' | 'paid';
  };

/**
 * Lists the invoice lines that bill the current prices of an account's subscriptions. Leaves out credits and fully
 * refunded invoices.
 */
export const listPriceLines = (db: DbOrTx, accountId: string): Promise<PriceLine[]> =>
  db
    .selectFrom('invoiceLines as line')
    .innerJoin('invoices as invoice', 'invoice.id', 'line.invoiceId')
    .innerJoin('subscriptions as subscription', 'subscription.id', 'invoice.subscriptionId')
    .innerJoin('billingCustomers as customer', 'customer.stripeId', 'subscription.customerId')
    .select(['line.invoiceId', 'line.periodStart', 'line.periodEnd', 'invoice.subscriptionId'])
    .select(['invoice.status', 'invoice.reason', 'invoice.finalizedAt'])
    .where('customer.accountId', '=', accountId)
    .where('invoice.status', 'in', ['draft', 'open', 'paid'])
    .whereRef('line.priceId', '=', 'subscription.priceId')
    .where('line.amount', '>', 0)
    .where((eb) => eb.or([eb('invoice.paid', '=', 0), eb('invoice.refunded', '<', eb.ref('invoice.paid'))]))
    .$narrowType<{ status: PriceLine['status']; subscriptionId: string }>()
    .execute();

/** Marks an account's customer to be synced again, unless it's already marked. */
export const requestCustomerSync = (db: DbOrTx, accountId: string) =>
  db
    .updateTable('billingCustomers')
    .set((eb) => ({ wanted: eb('wanted', '+', 1), notBefore: now }))
    .where('accountId', '=', accountId)
    .whereRef('wanted', '=', 'mirrored')
    .execute();

/** Lists subscriptions that would be billed again although the deletion of their account was requested. */
export const listSubscriptionsToCancel = (db: DbOrTx): Promise<{ accountId: string; subscriptionId: string }[]> =>
  db
    .selectFrom('users')
    .innerJoin('billingCustomers as customer', 'customer.accountId', 'users.id')
    .innerJoin('subscriptions as subscription', 'subscription.customerId', 'customer.stripeId')
    .select(['users.id as accountId', 'subscription.id as subscriptionId'])
    .where('users.deletesAt', 'is not', null)
    .where('subscription.status', 'in', ['active', 'past_due'])
    .where((eb) =>
      eb.or([
        eb.and([eb('subscription.cancelAt', 'is', null), eb('subscription.cancelsAtPeriodEnd', '=', false)]),
        // Includes canceled subscriptions with an open renewal invoice from before the cancellation.
        eb.exists(
          eb
            .selectFrom('invoices')
            .select('invoices.id')
            .whereRef('invoices.subscriptionId', '=', 'subscription.id')
            .where('invoices.status', 'in', ['draft', 'open'])
            .where('invoices.reason', '=', 'subscription_cycle'),
        ),
      ]),
    )
    .execute();

/**
 * Lists subscriptions that end because the deletion of their account was requested, although that request was
 * withdrawn. `accountId`: limits the list to one account.
 */
export function listSubscriptionsToResume(
  db: DbOrTx,
  accountId?: string,
): Promise<{ accountId: string; subscriptionId: string }[]> {
  const query = db
    .selectFrom('users')
    .innerJoin('billingCustomers as customer', 'customer.accountId', 'users.id')
    .innerJoin('subscriptions as subscription', 'subscription.customerId', 'customer.stripeId')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('billingCalls as call')
          .select(sql<string | null>`call.request->>'isLeaving'`.as('isLeaving'))
          .whereRef('call.accountId', '=', 'users.id')
          .where('call.kind', 'in', ['cancel', 'keep'])
          // Ignores failed calls, because they changed nothing and are retried.
          .where('call.state', '<>', 'failed')
          .where(sql<boolean>`call.request->>'subscriptionId' = subscription.id`)
          .orderBy('call.createdAt', 'desc')
          .limit(1)
          .as('latest'),
      (join) => join.onTrue(),
    )
    .select(['users.id as accountId', 'subscription.id as subscriptionId'])
    .where('users.deletesAt', 'is', null)
    .where('subscription.status', '=', 'active')
    .where('subscription.cancelsAtPeriodEnd', '=', true)
    .where('latest.isLeaving', '=', 'true');
  return (accountId ? query.where('users.id', '=', accountId) : query).execute();
}

/** A plan that ended because of an unpaid invoice. `total`: total of the invoice, in cents. */
type LapsedPlan = { tier: Tier; number: string | null; total: number; currency: string; endedAt: Date };

/** Returns an account's latest plan if it ended because of an unpaid renewal. */
export async function findLapsedPlan(db: Db, accountId: string): Promise<LapsedPlan | undefined> {
  const row = await db
    .selectFrom('subscriptions as plan')
    .innerJoin('billingCustomers as customer', 'customer.stripeId', 'plan.customerId')
    .innerJoin('invoices as bill', 'bill.id', 'plan.latestInvoiceId')
    .select(['plan.tier', 'plan.status', 'plan.endedAt'])
    .select(['bill.number', 'bill.total', 'bill.currency', 'bill.status as billStatus', 'bill.reason'])
    .where('customer.accountId', '=', accountId)
    .orderBy('plan.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  const isLapsed = row?.status === 'canceled' && row.billStatus !== 'paid' && row.reason === 'subscription_cycle';
  if (!isLapsed || !row.endedAt) return undefined;
  const { tier, number, total, currency, endedAt } = row;
  return { tier, number, total, currency, endedAt };
}
