import { countImages } from '@uprez/contracts/policy/meters';
import type { AdminSubscription, AdminTransaction } from '@uprez/contracts/schemas/billing/admin-payments';
import { currencyCell, moneyCell } from '../format-money-cells.ts';
import type { Columns } from './send-csv.ts';

/** `100 AI images, 1,000 standard images`. */
const countUnits = (units: AdminTransaction['units'], which: 'given' | 'reversed'): string | null =>
  units.map((row) => countImages(row[which], row.meter)).join(', ') || null;

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
  images_given: ({ units }) => countUnits(units, 'given'),
  images_taken_back: ({ units }) => countUnits(units, 'reversed'),
};
