import type { InvoiceLineRow, InvoiceRow, SubscriptionRow } from '@uprez/db/queries/billing/subscriptions';
import type { Invoice } from '@uprez/payments/invoices';
import type { Payment } from '@uprez/payments/payment-intents';
import type { Price } from '@uprez/payments/prices';
import type { Subscription } from '@uprez/payments/subscriptions';
import type { CustomerState } from './read-customer.ts';

type Rows = { subscriptions: SubscriptionRow[]; invoices: InvoiceRow[]; lines: InvoiceLineRow[] };

/** Converts what Stripe says about a customer to rows. Leaves out what others sell in a shared Stripe account. */
export function toRows(customerId: string, { subscriptions, invoices, payments, nextAmounts }: CustomerState): Rows {
  const ours = subscriptions
    .map((one) => toSubscriptionRow(customerId, one))
    .filter((row) => row !== undefined)
    // An amount that couldn't be read leaves the stored one.
    .map((row) => ({ ...row, nextAmount: nextAmounts.get(row.id) }));
  const ids = new Set(ours.map(({ id }) => id));
  const kept = invoices.filter(
    (invoice): invoice is OurInvoice => invoice.subscriptionId !== null && ids.has(invoice.subscriptionId),
  );
  return {
    subscriptions: ours,
    invoices: kept.map((invoice) => toInvoiceRow(customerId, invoice, payments)),
    lines: kept.flatMap(toLineRows),
  };
}

type OurPrice = Pick<SubscriptionRow, 'priceId' | 'tier' | 'planVersion' | 'interval' | 'amount'>;

function toOurPrice({ id, isOurs, tier, planVersion, interval, amount }: Price): OurPrice | undefined {
  if (!isOurs || !tier || planVersion === null || !Number.isInteger(planVersion) || amount === null) return undefined;
  return interval === 'month' || interval === 'year' ? { priceId: id, tier, planVersion, interval, amount } : undefined;
}

function toSubscriptionRow(customerId: string, subscription: Subscription): SubscriptionRow | undefined {
  const price = toOurPrice(subscription.price);
  const { id, status, currency, periodStart, periodEnd, anchor, next, pending, card } = subscription;
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
      cardBrand: card?.brand ?? null,
      cardLast4: card?.last4 ?? null,
      cardExpMonth: card?.expiryMonth ?? null,
      cardExpYear: card?.expiryYear ?? null,
      latestInvoiceId: subscription.latestInvoiceId,
      createdAt: subscription.createdAt,
      endedAt: subscription.endedAt,
    }
  );
}

type OurInvoice = Invoice & { subscriptionId: string };

function toInvoiceRow(customerId: string, invoice: OurInvoice, payments: readonly Payment[]): InvoiceRow {
  const { customerId: _, startingBalance: __, endingBalance: ___, ...kept } = invoice;
  const { remaining: _remaining, lines: _lines, hasMoreLines: _more, paymentIntentIds, ...values } = kept;
  const refunds = payments.filter(({ id }) => paymentIntentIds.includes(id)).map(({ refunded }) => refunded);
  // A payment may exceed its invoice: the rest becomes credit.
  const refunded = Math.min(
    invoice.paid,
    refunds.reduce((sum, cents) => sum + cents, 0),
  );
  return { ...values, customerId, refunded };
}

const toLineRows = ({ id: invoiceId, lines }: Invoice): InvoiceLineRow[] =>
  lines.map(({ period, currency: _, ...line }) => ({
    ...line,
    invoiceId,
    periodStart: period.start,
    periodEnd: period.end,
  }));
