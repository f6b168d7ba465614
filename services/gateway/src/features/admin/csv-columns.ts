import type { AdminSubscription, AdminTransaction } from '@uprez/contracts/schemas/billing/admin-payments';
import type { Columns } from './send-csv.ts';

/** Amounts with two decimals: `7.00`. */
const money = (cents: number): string => (cents / 100).toFixed(2);

export const subscriptionColumns: Columns<AdminSubscription> = {
  subscription: ({ id }) => id,
  customer: ({ customerId }) => customerId,
  email: ({ account }) => account?.email ?? null,
  name: ({ account }) => account?.name ?? null,
  plan: ({ tier }) => tier,
  interval: ({ interval }) => interval,
  amount: ({ amount }) => money(amount),
  currency: ({ currency }) => currency,
  status: ({ badge }) => badge,
  created: ({ createdAt }) => createdAt,
  period_end: ({ periodEnd }) => periodEnd,
  cancels: ({ cancelAt }) => cancelAt,
  ended: ({ endedAt }) => endedAt,
  unpaid: ({ unpaid }) => unpaid && money(unpaid.amount),
};

export const transactionColumns: Columns<AdminTransaction> = {
  payment: ({ id }) => id,
  customer: ({ customerId }) => customerId,
  email: ({ account }) => account?.email ?? null,
  name: ({ account }) => account?.name ?? null,
  invoice: ({ invoice }) => invoice && (invoice.number ?? invoice.id),
  amount: ({ amount }) => money(amount),
  tax: ({ tax }) => money(tax),
  refunded: ({ refunded }) => money(refunded),
  currency: ({ currency }) => currency,
  status: ({ badge }) => badge,
  method: ({ method }) => method,
  card: ({ card }) => card && `${card.brand} ${card.last4}`,
  failure: ({ failure }) => failure,
  disputed: ({ isDisputed }) => (isDisputed ? 'yes' : 'no'),
  created: ({ createdAt }) => createdAt,
};
