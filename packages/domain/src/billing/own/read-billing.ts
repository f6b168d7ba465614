import { billingRules } from '@uprez/contracts/policy/billing/billing';
import { salesOnlyTier, type Tier } from '@uprez/contracts/policy/plans/plans';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { listOwnPacks } from '@uprez/db/queries/billing/bought-packs';
import { readUsedPercent } from '@uprez/db/queries/billing/money-back';
import {
  type BillingAccount,
  findBillingAccount,
  findOwnSubscription,
  type OwnSubscription,
} from '@uprez/db/queries/billing/own-billing';
import { isPlanOffered } from '@uprez/db/queries/leads/leads';
import type { Needs } from '../../context.ts';
import { findBillAfterPause } from '../present-bill.ts';

const dayMs = 86_400_000;

/**
 * Returns an account's plan and bills. Reads only from the database, not from Stripe. Throws if the account doesn't
 * exist.
 */
export async function readBilling({ db }: Needs<'db'>, accountId: string): Promise<Billing> {
  const [account, packs] = await Promise.all([findBillingAccount(db, accountId), listOwnPacks(db, accountId)]);
  if (!account) throw new Error('There is no such account.');
  const { tier, customerId, overrideTier, overrideUntil, overrideReason: reason } = account;
  const latest = customerId === null ? undefined : await findOwnSubscription(db, customerId);
  const own = latest?.isBegun ? latest : undefined;
  const moneyBackEnd = own && (await findMoneyBackEnd({ db }, { accountId, account, subscription: own }));
  return {
    tier,
    override: overrideTier && { tier: overrideTier, until: overrideUntil?.toISOString() ?? null, reason },
    subscription: own ? presentSubscription(own) : null,
    nextBill: (own && findNextBill(own)) ?? null,
    unpaid: own ? findUnpaid(own, account.now) : null,
    moneyBackUntil: moneyBackEnd?.toISOString() ?? null,
    moneyBackAmount: moneyBackEnd ? account.yearlyAmount : null,
    isOffered: await isPlanOffered(db, { accountId, tier: salesOnlyTier }),
    packs: packs.map(({ boughtAt, ...pack }) => ({ ...pack, boughtAt: boughtAt.toISOString() })),
  };
}

function findUnpaid(own: OwnSubscription, now: Date): Billing['unpaid'] {
  const { unpaidId: invoiceId, unpaidDue, unpaidPaid, unpaidFinalizedAt: since, unpaidRetryAt, currency } = own;
  if (invoiceId === null) return null;
  const afterDays = (days: number) => since && new Date(Number(since) + days * dayMs);
  const retryAt = unpaidRetryAt ?? billingRules.retryDays.map(afterDays).find((time) => time && time > now);
  return {
    invoiceId,
    retryAt: retryAt?.toISOString() ?? null,
    endsAt: afterDays(billingRules.unpaidDays)?.toISOString() ?? null,
    amount: (unpaidDue ?? 0) - (unpaidPaid ?? 0),
    currency,
  };
}

/**
 * Returns the next bill for a subscription, or undefined if none is expected. Until Stripe's amount is known, uses the
 * price without discounts.
 */
function findNextBill(own: OwnSubscription): NonNullable<Billing['nextBill']> | undefined {
  const { status, isPaused, pausedUntil, periodEnd, nextAt, currency } = own;
  const isRunning = status === 'active' || status === 'past_due';
  if (!isRunning || findEnd(own) || (isPaused && !pausedUntil)) return undefined;
  const amount = own.nextAmount ?? (nextAt && own.nextPrice) ?? own.amount;
  const at = isPaused && pausedUntil ? findBillAfterPause(own, pausedUntil) : (nextAt ?? periodEnd);
  const reason = isPaused ? 'pause_end' : nextAt ? 'plan_change' : 'renewal';
  return { at: at.toISOString(), reason, amount, currency };
}

type Plan = {
  accountId: string;
  account: BillingAccount;
  subscription: Pick<OwnSubscription, 'id' | 'status' | 'interval'>;
};

/**
 * Returns the end of the period in which canceling a yearly plan refunds it. Returns undefined if no refund is
 * available. For example, too large a share of a month's images may have been used, an administrator may have refunded
 * the first yearly payment, or that payment may have been for a plan that has ended.
 */
export async function findMoneyBackEnd(
  { db }: Needs<'db'>,
  { accountId, account, subscription }: Plan,
): Promise<Date | undefined> {
  const { yearlyInvoiceId, yearlyPaidAt, yearlyAmount, yearlySubscriptionId, moneyBackAt, now } = account;
  const { id, status, interval } = subscription;
  if (!yearlyInvoiceId || !yearlyPaidAt || !yearlyAmount || moneyBackAt) return undefined;
  if (status !== 'active' || interval !== 'year' || yearlySubscriptionId !== id) return undefined;
  const end = new Date(Number(yearlyPaidAt) + billingRules.moneyBackDays * dayMs);
  if (now >= end) return undefined;
  const usedPercent = await readUsedPercent(db, { accountId, invoiceId: yearlyInvoiceId, paidAt: yearlyPaidAt });
  return usedPercent <= billingRules.moneyBackUsedPercent ? end : undefined;
}

type Subscription = NonNullable<Billing['subscription']>;
type SubscriptionPlan = Subscription['plan'];

function presentSubscription(own: OwnSubscription): Subscription {
  const { tier, interval, priceId, amount, currency, nextAt, pendingUntil, pausedUntil } = own;
  const { nextTier, nextInterval, nextPriceId, nextPrice } = own;
  const { pendingTier, pendingInterval, pendingPriceId, pendingPrice } = own;
  const next = toPlan({ tier: nextTier, interval: nextInterval, priceId: nextPriceId, amount: nextPrice, currency });
  const pending = toPlan({
    ...{ tier: pendingTier, interval: pendingInterval, priceId: pendingPriceId, amount: pendingPrice },
    currency,
  });
  return {
    plan: { tier, interval, priceId, price: { amount, currency } },
    planVersion: own.planVersion,
    badge: toBadge(own),
    periodStart: own.periodStart.toISOString(),
    periodEnd: own.periodEnd.toISOString(),
    cancelAt: findEnd(own)?.toISOString() ?? null,
    pausedUntil: own.isPaused && pausedUntil ? findBillAfterPause(own, pausedUntil).toISOString() : null,
    next: next && nextAt && { plan: next, at: nextAt.toISOString() },
    pending: pending && pendingUntil && { plan: pending, until: pendingUntil.toISOString() },
    card: presentCard(own),
  };
}

/** Returns the time at which a canceled subscription ends, or null if it isn't canceled. */
const findEnd = ({
  cancelAt,
  cancelsAtPeriodEnd,
  periodEnd,
}: Pick<OwnSubscription, 'cancelAt' | 'cancelsAtPeriodEnd' | 'periodEnd'>): Date | null =>
  cancelAt ?? (cancelsAtPeriodEnd ? periodEnd : null);

type PriceFields = {
  tier: Tier | null;
  interval: 'month' | 'year' | 'once' | null;
  priceId: string | null;
  amount: number | null;
  currency: string;
};

function toPlan({ tier, interval, priceId, amount, currency }: PriceFields): SubscriptionPlan | null {
  if (!tier || !interval || interval === 'once' || priceId === null || amount === null) return null;
  return { tier, interval, priceId, price: { amount, currency } };
}

const badges: Record<string, Subscription['badge']> = {
  active: 'active',
  past_due: 'past_due',
  incomplete: 'incomplete',
};
/** Returns the status to show. A status without its own badge is shown as canceled. */
export function toBadge({
  status,
  isProcessing,
}: Pick<OwnSubscription, 'status' | 'isProcessing'>): Subscription['badge'] {
  if (status === 'incomplete' && isProcessing) return 'pending';
  return badges[status] ?? 'canceled';
}

function presentCard({ cardBrand: brand, ...own }: OwnSubscription): Subscription['card'] {
  return brand === null ? null : { brand, last4: own.cardLast4, expMonth: own.cardExpMonth, expYear: own.cardExpYear };
}
