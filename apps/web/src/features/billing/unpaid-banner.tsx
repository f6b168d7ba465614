import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { formatDay, formatMoney } from '@uprez/contracts/texts/format';
import { describeUnaffectedPlan } from '@uprez/contracts/texts/plans';
import { TriangleAlert } from 'lucide-react';
import { paths } from '../../site-map.ts';
import { buttonStyle } from '../../ui/controls/button.tsx';
import { billingMessages } from './messages.ts';

const text = billingMessages.unpaid;
const style = buttonStyle({ look: 'secondary', size: 'small' });

/**
 * URL fragments for links to the billing page. They lead to the button that pays a bill, and to the form for another
 * payment method.
 */
export const payAnchor = '#pay';
export const cardAnchor = '#card';

type UnpaidBilling = { unpaid: NonNullable<Billing['unpaid']> } & Pick<Billing, 'override'>;

/**
 * Describes what happens with an unpaid bill: `Your payment of $7.00 failed. We'll try again on Nov 5, 2026.` If an
 * administrator has set the account's plan, adds that the bill doesn't affect it.
 */
export function describeUnpaidBill({ unpaid: { amount, currency, retryAt, endsAt }, override }: UnpaidBilling): string {
  const sentences = [
    text.text(formatMoney({ amount, currency })),
    retryAt && text.retry(formatDay(retryAt)),
    endsAt && (override ? text.subscriptionEnds : text.ends)(formatDay(endsAt)),
    override ? describeUnaffectedPlan(override.tier) : endsAt && text.share,
  ];
  return sentences.filter(Boolean).join(' ');
}

type UnpaidBannerProps = Parameters<typeof describeUnpaidBill>[0];

/**
 * Shown on every page while a bill is unpaid, with links to pay it. The links load a new document, because the billing
 * page has its own.
 */
export function UnpaidBanner(props: UnpaidBannerProps) {
  return (
    <section
      aria-label={text.region}
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-line border-b bg-sunken px-4 py-2 text-sm"
    >
      <p className="flex items-center gap-2">
        <TriangleAlert aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0 text-warning" />
        {describeUnpaidBill(props)}
      </p>
      <span className="flex gap-2">
        <a href={`${paths.billing}${payAnchor}`} className={style}>
          {text.pay}
        </a>
        <a href={`${paths.billing}${cardAnchor}`} className={style}>
          {text.open}
        </a>
      </span>
    </section>
  );
}
