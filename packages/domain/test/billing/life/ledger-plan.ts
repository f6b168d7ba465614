import { randomUUID } from 'node:crypto';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import type { Db } from '@uprez/db/database';
import { savePayments } from '@uprez/db/queries/billing/payments';
import { saveInvoices } from '@uprez/db/queries/billing/subscriptions';
import { settlePlan } from '@uprez/domain/billing/plan/settle-plan';
import { makePaidPlan } from '@uprez/testing/billing/make-paid-plan';

const monthMs = 30 * 86_400_000;
const tiers = ['pro', 'api_basic', 'api_pro'] as const;

/** A subscription of an account, as the sync stores it, with the invoice of its period. */
export type LedgerPlan = { subscriptionId: string; invoiceId: string; tier: Tier; until: Date };

const settle = (db: Db, accountId: string) => db.transaction().execute((tx) => settlePlan(tx, accountId));
const amountOf = ({ tier }: Pick<LedgerPlan, 'tier'>) => currentPlans[tier].price * 100;
const customerOf = ({ subscriptionId }: LedgerPlan) => subscriptionId.replace('sub_', 'cus_');

/** Buys a plan. Its period began some days ago. */
export async function buyPlan(db: Db, accountId: string, { now, pick }: { now: Date; pick: number }) {
  const tier = tiers[pick % tiers.length] ?? 'pro';
  const from = new Date(Number(now) - (pick % 9) * 86_400_000);
  const until = new Date(Number(from) + monthMs);
  const ids = await makePaidPlan(db, { accountId, tier, from, until });
  await settle(db, accountId);
  return { ...ids, tier, until };
}

/** Starts the next period with a renewal that isn't paid yet. Twice: it may be read again. */
export async function renewPlan(db: Db, accountId: string, plan: LedgerPlan): Promise<LedgerPlan> {
  const [from, until] = [plan.until, new Date(Number(plan.until) + monthMs)];
  const invoiceId = `in_${randomUUID()}`;
  const amount = amountOf(plan);
  const owner = { customerId: customerOf(plan), subscriptionId: plan.subscriptionId };
  const invoice = { ...owner, id: invoiceId, status: 'open', currency: 'usd', reason: 'subscription_cycle' } as const;
  const times = { createdAt: from, finalizedAt: from };
  const amounts = { subtotal: amount, discount: 0, tax: 0, total: amount, due: amount, attempts: 1, paid: 0 };
  const line = { id: `il_${invoiceId}`, invoiceId, priceId: `price_${plan.tier}`, amount, discount: 0, tax: 0 };
  await db.transaction().execute(async (tx) => {
    await saveInvoices(
      tx,
      [{ ...invoice, ...times, ...amounts }],
      [{ ...line, periodStart: from, periodEnd: until, isProration: false }],
    );
    const moved = tx.updateTable('subscriptions').set({ periodStart: from, periodEnd: until });
    await moved.where('id', '=', plan.subscriptionId).execute();
    await settlePlan(tx, accountId);
  });
  await settle(db, accountId);
  return { ...plan, invoiceId, until };
}

/** Pays the latest invoice, if it wasn't yet. */
export async function payPlan(db: Db, accountId: string, { invoiceId, ...plan }: LedgerPlan): Promise<void> {
  await db
    .updateTable('invoices')
    .set({ status: 'paid', paid: amountOf(plan) })
    .where('id', '=', invoiceId)
    .execute();
  await Promise.all([settle(db, accountId), settle(db, accountId)]);
}

type Refund = { plan: LedgerPlan; pick: number };

/** Refunds a part of the latest invoice or all of it, once. */
export async function refundPlan(db: Db, accountId: string, { plan, pick }: Refund): Promise<void> {
  const paid = { id: plan.invoiceId, amount: amountOf(plan), currency: 'usd' };
  const refunded = pick % 3 === 0 ? paid.amount : Math.ceil(paid.amount / (2 + pick));
  const payment = { ...paid, id: `pi_${plan.invoiceId}`, customerId: customerOf(plan), invoiceId: plan.invoiceId };
  const createdAt = new Date(Number(plan.until) - monthMs);
  const state = { received: paid.amount, refunded, status: 'succeeded', isDisputed: false, createdAt };
  const refund = { id: `re_${plan.invoiceId}`, paymentId: payment.id, amount: refunded, currency: 'usd', createdAt };
  await payPlan(db, accountId, plan);
  await db.transaction().execute(async (tx) => {
    const refunds = [{ ...refund, status: 'succeeded' as const }];
    await savePayments(tx, { payments: [{ ...payment, ...state }], refunds, disputes: [] });
    await settlePlan(tx, accountId);
  });
  await settle(db, accountId);
}

/** Ends the subscription. Its unpaid invoice is void. */
export async function endPlan(db: Db, accountId: string, { subscriptionId }: LedgerPlan): Promise<void> {
  const ended = db.updateTable('subscriptions').set({ status: 'canceled' }).where('id', '=', subscriptionId);
  await ended.execute();
  const voided = db.updateTable('invoices').set({ status: 'void' }).where('subscriptionId', '=', subscriptionId);
  await voided.where('status', '=', 'open').execute();
  await settle(db, accountId);
}
