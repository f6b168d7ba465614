import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { formatDate } from '../../lib/format/format.ts';
import { formatMoney } from '../../lib/format/money.ts';
import { billingMessages } from './messages.ts';

const text = billingMessages.unpaid;

/** What happens with an unpaid bill: `Your payment of $7 failed. We'll try again on Nov 5, 2026.` */
export function describeUnpaid({ amount, currency, retryAt, endsAt }: NonNullable<Billing['unpaid']>): string {
  const sentences = [
    text.text(formatMoney({ amount, currency })),
    retryAt && text.retry(formatDate(retryAt)),
    endsAt && text.ends(formatDate(endsAt)),
    endsAt && text.share,
  ];
  return sentences.filter(Boolean).join(' ');
}
