import { randomUUID } from 'node:crypto';
import { PaymentError } from '@uprez/payments/payment-error';
import { previewRenewal } from '@uprez/payments/previews';
import type { Subscription } from '@uprez/payments/subscriptions';
import type { Needs } from '../../context.ts';

/** Cents by subscription ID; null: no bill follows. Subscriptions whose bill couldn't be read are missing. */
export type NextAmounts = ReadonlyMap<string, number | null>;

/** Reads what the next bills of subscriptions will be, with discounts, tax, and credit. At most 1 request for each live one. */
export async function readNextAmounts(
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
        // An amount that is missing must not keep an account from its plan.
        if (!(error instanceof PaymentError)) throw error;
      }
  }
  return amounts;
}

const isBilledAgain = ({ status, price, cancelAt, cancelsAtPeriodEnd }: Omit<Subscription, 'id'>) =>
  price.isOurs && (status === 'active' || status === 'past_due') && !cancelAt && !cancelsAtPeriodEnd;
