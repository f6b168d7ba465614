import type { PaymentRows } from '@uprez/db/queries/billing/payments';
import type { InvoiceLineRow, InvoiceRow, SubscriptionRow } from '@uprez/db/queries/billing/subscriptions';
import type { Price } from '@uprez/payments/catalog';
import type { Invoice } from '@uprez/payments/invoices';
import type { Payment } from '@uprez/payments/payment-intents';
import type { Subscription } from '@uprez/payments/subscriptions';
import type { CustomerState } from './read-customer.ts';

type Rows = PaymentRows & { subscriptions: SubscriptionRow[]; invoices: InvoiceRow[]; lines: InvoiceLineRow[] };

/** Converts a customer's state at Stripe to rows. Skips sales of other products that share the Stripe account. */
export function toRows(customerId: string, state: CustomerState): Rows {
  const { subscriptions, invoices, nextAmounts } = state;
  const ours = subscriptions
    .map((one) => toSubscriptionRow(customerId, one))
    .filter((row) => row !== undefined)
    // Undefined if the amount couldn't be read. The stored amount then stays.
    .map((row) => ({ ...row, nextAmount: nextAmounts.get(row.id) }));
  const ids = new Set(ours.map(({ id }) => id));
  // Packs are billed without a subscription, so their invoices are recognized by the account.
  const kept = invoices.filter(({ subscriptionId, accountId }) =>
    subscriptionId === null ? accountId !== null : ids.has(subscriptionId),
  );
  return {
    subscriptions: ours.map((row) => ({ ...row, ...findPastDue(row, kept) })),
    invoices: kept.map((invoice) => toInvoiceRow(customerId, invoice)),
    lines: kept.flatMap(toLineRows),
    ...toPaymentRows(customerId, state, kept),
  };
}

type OurPrice = Pick<SubscriptionRow, 'priceId' | 'tier' | 'planVersion' | 'interval' | 'amount'>;

function toOurPrice({ id, isOurs, tier, planVersion, interval, amount }: Price): OurPrice | undefined {
  if (!isOurs || !tier || planVersion === null || !Number.isInteger(planVersion) || amount === null) return undefined;
  return interval === 'month' || interval === 'year' ? { priceId: id, tier, planVersion, interval, amount } : undefined;
}

/**
 * Converts a subscription to a row, without the columns that come from its invoices. Returns undefined if the
 * subscription isn't ours.
 */
export function toSubscriptionRow(customerId: string, subscription: Subscription) {
  const price = toOurPrice(subscription.price);
  const { id, status, currency, periodStart, periodEnd, anchor, next, pending, card, paymentMethodType } = subscription;
  return (
    price && {
      ...price,
      ...{ id, customerId, status, currency, periodStart, periodEnd, anchor },
      cancelAt: subscription.cancelAt,
      cancelsAtPeriodEnd: subscription.cancelsAtPeriodEnd,
      cancelFeedback: subscription.cancelFeedback,
      cancelReason: subscription.cancelReason,
      isPaused: subscription.isPaused,
      pausedUntil: subscription.pausedUntil,
      scheduleId: subscription.scheduleId,
      nextPriceId: next?.priceId ?? null,
      nextAt: next?.startsAt ?? null,
      pendingPriceId: pending?.priceId ?? null,
      pendingUntil: pending?.expiresAt ?? null,
      cardBrand: card?.brand ?? paymentMethodType,
      cardLast4: card?.last4 ?? null,
      cardExpMonth: card?.expiryMonth ?? null,
      cardExpYear: card?.expiryYear ?? null,
      latestInvoiceId: subscription.latestInvoiceId,
      createdAt: subscription.createdAt,
      endedAt: subscription.endedAt,
    }
  );
}

const unpaidStatuses = ['past_due', 'unpaid', 'canceled'];

/** Includes canceled subscriptions: they owe nothing, but the open invoice must be voided. */
function findPastDue({ id, status }: SubscriptionRow, invoices: readonly Invoice[]) {
  const unpaid = invoices
    .filter((one) => one.subscriptionId === id && one.status === 'open' && one.reason === 'subscription_cycle')
    .toSorted((one, other) => Number(one.createdAt) - Number(other.createdAt))[0];
  if (!unpaid || !unpaidStatuses.includes(status)) return { pastDueAt: null, pastDueInvoiceId: null };
  return { pastDueAt: unpaid.finalizedAt ?? unpaid.createdAt, pastDueInvoiceId: unpaid.id };
}

function toInvoiceRow(customerId: string, invoice: Invoice): InvoiceRow {
  const { id, subscriptionId, number, status, currency, reason, attempts } = invoice;
  const { subtotal, discount, tax, total, due, paid } = invoice;
  const { nextAttemptAt, createdAt, finalizedAt, paidAt, voidedAt } = invoice;
  return {
    ...{ id, customerId, subscriptionId, number, status, currency, reason, attempts },
    ...{ subtotal, discount, tax, total, due, paid },
    ...{ nextAttemptAt, createdAt, finalizedAt, paidAt, voidedAt },
  };
}

const toLineRows = ({ id: invoiceId, lines }: Invoice): InvoiceLineRow[] =>
  lines.map(({ id, priceId, description, amount, discount, tax, period, isProration }) => ({
    ...{ id, invoiceId, priceId, description, amount, discount, tax, isProration },
    ...{ periodStart: period.start, periodEnd: period.end },
  }));

/** A payment is ours if it pays one of our invoices or its metadata names an account. */
function toPaymentRows(
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
