import type { Tier } from '@uprez/contracts/policy/plans';
import type { Db } from '../../database.ts';

/** The bill whose payment failed until its plan ended. `total`: cents. */
export type LapsedPlan = { tier: Tier; number: string | null; total: number; currency: string; endedAt: Date };

/** The plan that an account lost last, if it ended because of an unpaid renewal. */
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
