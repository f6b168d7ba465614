import { billingRules } from '@uprez/contracts/policy/billing/billing';
import { findUsedPercent } from '@uprez/db/queries/billing/money-back';
import type { BillingAccount, OwnSubscription } from '@uprez/db/queries/billing/own-billing';
import type { Needs } from '../../context.ts';

const dayMs = 86_400_000;

type Plan = {
  accountId: string;
  account: BillingAccount;
  subscription: Pick<OwnSubscription, 'id' | 'status' | 'interval'>;
};

/**
 * Until when canceling a yearly plan refunds it. Undefined if it doesn't: also if more than a share of a month's images was used,
 * or if the first yearly payment was refunded by an administrator, or was for a plan that has ended.
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
  const usedPercent = await findUsedPercent(db, { accountId, invoiceId: yearlyInvoiceId, paidAt: yearlyPaidAt });
  return usedPercent <= billingRules.moneyBackUsedPercent ? end : undefined;
}
