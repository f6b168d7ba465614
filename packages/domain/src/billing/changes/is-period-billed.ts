import { readClock } from '@uprez/db/times';
import { type Invoice, listInvoices } from '@uprez/payments/invoices';
import type { Subscription } from '@uprez/payments/subscriptions';
import type { Needs } from '../../context.ts';
import { readStripe } from '../calls/read-stripe.ts';

/**
 * Whether the current period of a subscription is paid, or its renewal is being collected. Asks Stripe: the payment may not
 * be synced yet, and the period would be billed again. Throws AppError.
 */
export async function isPeriodBilled(
  { db, payments }: Needs<'db' | 'payments'>,
  { id, customerId, price }: Subscription,
): Promise<boolean> {
  const now = await readClock(db);
  const { items } = await readStripe(listInvoices(payments, { customerId }));
  return items
    .filter((invoice) => invoice.subscriptionId === id && isBilled(invoice))
    .flatMap(({ lines }) => lines)
    .some(
      ({ priceId, amount, period }) => priceId === price.id && amount > 0 && period.start <= now && period.end > now,
    );
}

const isBilled = ({ status, reason }: Invoice): boolean =>
  status === 'paid' || ((status === 'draft' || status === 'open') && reason === 'subscription_cycle');
