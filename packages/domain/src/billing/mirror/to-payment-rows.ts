import type { PaymentRows } from '@uprez/db/queries/billing/payments';
import type { InvoiceRow } from '@uprez/db/queries/billing/subscriptions';
import type { Payment } from '@uprez/payments/payment-intents';
import type { CustomerState } from './read-customer.ts';

/** Converts payments that are ours to rows: those of our invoices, and those whose metadata names an account. */
export function toPaymentRows(
  customerId: string,
  { invoices, payments, disputes }: Pick<CustomerState, 'invoices' | 'payments' | 'disputes'>,
  ours: readonly Pick<InvoiceRow, 'id'>[],
): PaymentRows {
  const ids = new Set(ours.map(({ id }) => id));
  const invoiceOf = new Map(
    invoices
      .filter(({ id }) => ids.has(id))
      .flatMap((invoice) => invoice.paymentIntentIds.map((paymentId) => [paymentId, invoice.id] as const)),
  );
  const kept = payments.filter(({ id, accountId }) => invoiceOf.has(id) || accountId !== null);
  const keptIds = new Set(kept.map(({ id }) => id));
  return {
    payments: kept.map((payment) => ({
      ...toPaymentRow(payment),
      customerId,
      invoiceId: invoiceOf.get(payment.id) ?? null,
    })),
    refunds: kept.flatMap(({ id: paymentId, refunds }) =>
      refunds.map(({ paymentIntentId: _, accountId: __, ...refund }) => ({ ...refund, paymentId })),
    ),
    disputes: disputes.flatMap(({ paymentIntentId, ...dispute }) =>
      paymentIntentId && keptIds.has(paymentIntentId) ? [{ ...dispute, paymentId: paymentIntentId }] : [],
    ),
  };
}

const toPaymentRow = ({ id, amount, received, refunded, currency, status, isDisputed, ...rest }: Payment) => ({
  ...{ id, amount, currency, status, isDisputed },
  method: rest.method,
  cardBrand: rest.cardBrand,
  cardLast4: rest.cardLast4,
  received: Math.min(received, amount),
  refunded: Math.min(refunded, amount),
  failureCode: rest.failure?.declineCode ?? rest.failure?.code ?? null,
  failureMessage: rest.failure?.message ?? null,
  createdAt: rest.createdAt,
});
