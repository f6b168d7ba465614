import type { AdminTransaction } from '@uprez/contracts/schemas/billing/admin-payments';
import { formatMoney } from '@uprez/contracts/texts/format';
import { paymentMessages } from './messages.ts';

const text = paymentMessages.transactions;

/** Returns what a payment's badge doesn't show: a dispute, refunds, or the reason for a failure. */
export function noteOfTransaction({
  failure,
  isDisputed,
  refunded,
  currency,
}: Pick<AdminTransaction, 'failure' | 'isDisputed' | 'refunded' | 'currency'>): string | null {
  const refund = refunded > 0 ? text.refunded(formatMoney({ amount: refunded, currency })) : null;
  return [isDisputed ? text.disputed : null, refund].filter(Boolean).join(', ') || failure;
}
