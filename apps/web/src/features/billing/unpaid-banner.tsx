import { TriangleAlert } from 'lucide-react';
import { paths } from '../../site-map.ts';
import { buttonStyle } from '../../ui/controls/button.tsx';
import { cardAnchor, describeUnpaid, payAnchor } from './describe-unpaid.ts';
import { billingMessages } from './messages.ts';

const text = billingMessages.unpaid;
const style = buttonStyle({ look: 'secondary', size: 'small' });

type UnpaidBannerProps = Parameters<typeof describeUnpaid>[0];

/**
 * Shows on every page that a bill is unpaid, with links to pay it. They are plain links, because the billing page has
 * its own document.
 */
export function UnpaidBanner(props: UnpaidBannerProps) {
  return (
    <section
      aria-label={text.region}
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-line border-b bg-sunken px-4 py-2 text-sm"
    >
      <p className="flex items-center gap-2">
        <TriangleAlert aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0 text-warning" />
        {describeUnpaid(props)}
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
