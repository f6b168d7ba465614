import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { formatDay, formatMoney } from '@uprez/contracts/texts/format';
import { describeUnaffected } from '@uprez/contracts/texts/plans';
import { billingMessages } from './messages.ts';

/** Anchors of the billing page that lead to a control: the button that pays a bill, and the form for another card. */
export const payAnchor = '#pay';
export const cardAnchor = '#card';

const text = billingMessages.unpaid;

type Unpaid = { unpaid: NonNullable<Billing['unpaid']> } & Pick<Billing, 'override'>;

/**
 * Describes what happens with an unpaid bill: `Your payment of $7.00 failed. We'll try again on Nov 5, 2026.` An
 * administrator's plan applies even if the bill is unpaid.
 */
export function describeUnpaid({ unpaid: { amount, currency, retryAt, endsAt }, override }: Unpaid): string {
  const sentences = [
    text.text(formatMoney({ amount, currency })),
    retryAt && text.retry(formatDay(retryAt)),
    endsAt && (override ? text.subscriptionEnds : text.ends)(formatDay(endsAt)),
    override ? describeUnaffected(override.tier) : endsAt && text.share,
  ];
  return sentences.filter(Boolean).join(' ');
}
