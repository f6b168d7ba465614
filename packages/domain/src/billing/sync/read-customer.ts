import { randomUUID } from 'node:crypto';
import { listDisputeFacts } from '@uprez/db/queries/billing/payments';
import { type Invoice, listInvoices } from '@uprez/payments/invoices';
import { PaymentError } from '@uprez/payments/payment-error';
import { listPayments, type Payment } from '@uprez/payments/payment-intents';
import { previewRenewal } from '@uprez/payments/previews';
import { type Dispute, listDisputes } from '@uprez/payments/refunds';
import { listSubscriptions, type Subscription } from '@uprez/payments/subscriptions';
import type { Needs } from '../../context.ts';

/** A customer's state at Stripe. Each list contains only the latest entries. */
export type CustomerState = {
  subscriptions: Subscription[];
  invoices: Invoice[];
  payments: Payment[];
  nextAmounts: NextAmounts;
  disputes: Dispute[];
};

const maxReads = 5;

/**
 * Reads a customer from Stripe. Sends at most 5 requests if the customer has one live subscription: for the first page
 * of each list, the next bill, and then an open dispute or a second page. Entries older than the latest 200 aren't
 * read, so their stored rows no longer change. Throws PaymentError.
 */
export async function readCustomer(ctx: Needs<'db' | 'payments'>, customerId: string): Promise<CustomerState> {
  const { payments: stripe } = ctx;
  const { items: subscriptions } = await listSubscriptions(stripe, { customerId });
  const invoices = await listInvoices(stripe, { customerId });
  const payments = await listPayments(stripe, { customerId });
  const nextAmounts = await readNextAmounts(ctx, subscriptions);
  let left = maxReads - 3 - subscriptions.filter(({ id }) => nextAmounts.get(id) !== null).length;
  const disputes: Dispute[] = [];
  for (const paymentIntentId of await findOpenDisputes(ctx, customerId, payments.items)) {
    if (left <= 0) break;
    left -= 1;
    disputes.push(...(await listDisputes(stripe, { paymentIntentId })).items);
  }
  const readNextPage = async <Item>(
    { next }: { next: string | null },
    read: (after: string) => Promise<{ items: Item[] }>,
  ) => {
    if (!next || left <= 0) return [];
    left -= 1;
    return (await read(next)).items;
  };
  return {
    subscriptions,
    nextAmounts,
    invoices: [
      ...invoices.items,
      ...(await readNextPage(invoices, (after) => listInvoices(stripe, { customerId, after }))),
    ],
    payments: [
      ...payments.items,
      ...(await readNextPage(payments, (after) => listPayments(stripe, { customerId, after }))),
    ],
    disputes,
  };
}

/**
 * Returns the IDs of payments with a dispute that isn't stored as closed. New disputes come first, followed by the
 * least recently read ones.
 */
async function findOpenDisputes(
  { db }: Needs<'db'>,
  customerId: string,
  payments: readonly Payment[],
): Promise<string[]> {
  const disputed = payments.filter(({ isDisputed }) => isDisputed).map(({ id }) => id);
  if (disputed.length === 0) return [];
  const known = await listDisputeFacts(db, customerId);
  const isNew = (id: string) => known.every(({ paymentId }) => paymentId !== id);
  const open = known.filter(({ paymentId, isClosed }) => !isClosed && disputed.includes(paymentId));
  return [...new Set([...disputed.filter(isNew), ...open.map(({ paymentId }) => paymentId)])];
}

/**
 * Amount of each subscription's next bill, in cents, by subscription ID. Null if no bill follows. Omits subscriptions
 * if the next bill couldn't be read.
 */
type NextAmounts = ReadonlyMap<string, number | null>;

/**
 * Reads the amount of each subscription's next bill, including discounts, tax, and credit. Sends at most 1 request per
 * live subscription.
 */
async function readNextAmounts(
  { payments }: Needs<'payments'>,
  subscriptions: readonly Subscription[],
): Promise<NextAmounts> {
  const amounts = new Map<string, number | null>();
  for (const { id: subscriptionId, ...subscription } of subscriptions) {
    if (!isBilledAgain(subscription)) amounts.set(subscriptionId, null);
    else
      try {
        const preview = { subscriptionId, idempotencyKey: `preview:${randomUUID()}` };
        amounts.set(subscriptionId, (await previewRenewal(payments, preview)).due);
      } catch (error) {
        // Continues without the amount, because a failed preview must not keep an account from getting its plan.
        if (!(error instanceof PaymentError)) throw error;
      }
  }
  return amounts;
}

const isBilledAgain = ({ status, price, cancelAt, cancelsAtPeriodEnd }: Omit<Subscription, 'id'>) =>
  price.isOurs && (status === 'active' || status === 'past_due') && !cancelAt && !cancelsAtPeriodEnd;
