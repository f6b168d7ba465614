import { randomUUID } from 'node:crypto';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import type { Db } from '@uprez/db/database';
import { saveInvoices, saveSubscriptions } from '@uprez/db/queries/billing/subscriptions';

type PaidPlan = {
  accountId: string;
  tier: Tier;
  from: Date;
  until: Date;
  interval?: 'month' | 'year';
  status?: 'draft' | 'open' | 'paid';
};

/** Stores a subscription with one invoice, as if it had been read from Stripe. Nothing is settled. */
export async function makePaidPlan(db: Db, plan: PaidPlan): Promise<Record<'subscriptionId' | 'invoiceId', string>> {
  const { accountId, tier, from, until, interval = 'month', status = 'paid' } = plan;
  const id = randomUUID();
  const [customerId, subscriptionId, invoiceId] = [`cus_${id}`, `sub_${id}`, `in_${id}`];
  const { price: dollars, version: planVersion } = currentPlans[tier];
  const amount = dollars * 100;
  const price = { priceId: `price_${tier}`, tier, planVersion, interval, amount, currency: 'usd' };
  const times = { periodStart: from, periodEnd: until, anchor: from, createdAt: from };
  const flags = { status: 'active', cancelsAtPeriodEnd: false, isPaused: false };
  const invoice = {
    customerId,
    subscriptionId,
    status,
    currency: 'usd',
    reason: 'subscription_cycle',
    createdAt: from,
  };
  const amounts = { subtotal: amount, discount: 0, tax: 0, total: amount, due: amount, attempts: 1 };
  await db.transaction().execute(async (tx) => {
    await tx.insertInto('billingCustomers').values({ stripeId: customerId, accountId, mirrored: 1 }).execute();
    await saveSubscriptions(tx, [{ id: subscriptionId, customerId, ...price, ...times, ...flags }]);
    const line = { id: `il_${id}`, invoiceId, priceId: price.priceId, amount, discount: 0, tax: 0 };
    await saveInvoices(
      tx,
      [{ id: invoiceId, ...invoice, ...amounts, paid: status === 'paid' ? amount : 0 }],
      [{ ...line, periodStart: from, periodEnd: until, isProration: false }],
    );
  });
  return { subscriptionId, invoiceId };
}
