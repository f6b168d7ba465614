import type { AdminSubscription, AdminTransaction } from '@uprez/contracts/schemas/billing/admin-payments';
import { currencyCell, moneyCell } from '../format-money-cells.ts';
import type { Columns } from './send-csv.ts';

export const subscriptionColumns: Columns<AdminSubscription> = {
  subscription: ({ id }) => id,
  customer: ({ customerId }) => customerId,
  email: ({ account }) => account?.email ?? null,
  name: ({ account }) => account?.name ?? null,
  plan: ({ tier }) => tier,
  interval: ({ interval }) => interval,
  amount: ({ amount }) => moneyCell(amount),
  currency: ({ currency }) => currencyCell(currency),
  status: ({ badge }) => badge,
  created: ({ createdAt }) => createdAt,
  period_end: ({ periodEnd }) => periodEnd,
  cancels: ({ cancelAt }) => cancelAt,
  ended: ({ endedAt }) => endedAt,
  unpaid: ({ unpaid }) => unpaid && moneyCell(unpaid.amount),
};

export const transactionColumns: Columns<AdminTransaction> = {
  payment: ({ id }) => id,
  customer: ({ customerId }) => customerId,
  email: ({ account }) => account?.email ?? null,
  name: ({ account }) => account?.name ?? null,
  invoice: ({ invoice }) => invoice && (invoice.number ?? invoice.id),
  amount: ({ amount }) => moneyCell(amount),
  tax: ({ tax }) => moneyCell(tax),
  refunded: ({ refunded }) => moneyCell(refunded),
  currency: ({ currency }) => currencyCell(currency),
  status: ({ badge }) => badge,
  method: ({ method }) => method,
  card: ({ card }) => card && `${card.brand} ${card.last4}`,
  failure: ({ failure }) => failure,
  disputed: ({ isDisputed }) => (isDisputed ? 'yes' : 'no'),
  created: ({ createdAt }) => createdAt,
};
