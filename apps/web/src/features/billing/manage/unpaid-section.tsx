import { useLocation } from 'react-router';
import { api } from '../../../lib/api/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { payAnchor } from '../anchors.ts';
import { describeUnpaid } from '../describe-unpaid.ts';
import { billingMessages } from '../messages.ts';
import { useBillingAction } from './use-billing-action.ts';

const text = billingMessages.unpaid;

type UnpaidSectionProps = Parameters<typeof describeUnpaid>[0] & { onPaid: () => void; onChangeCard: () => void };

/** The unpaid bill, with the buttons that pay it. */
export function UnpaidSection({ onPaid, onChangeCard, ...unpaid }: UnpaidSectionProps) {
  const { hash } = useLocation();
  const pay = useBillingAction({
    call: () => api.payInvoice(),
    done: () => text.paid,
    failed: billingMessages.payment.failed,
    onDone: onPaid,
  });
  const focus = (button: HTMLButtonElement | null) => button?.focus();
  return (
    <section aria-label={text.region}>
      <Notice kind="warning">
        <div className="grid gap-3">
          <p>{describeUnpaid(unpaid)}</p>
          <div className="flex flex-wrap gap-2">
            <Button ref={hash === payAnchor ? focus : undefined} pending={pay.isPending} onClick={() => pay.mutate()}>
              {text.pay}
            </Button>
            <Button look="secondary" onClick={onChangeCard}>
              {text.open}
            </Button>
          </div>
        </div>
      </Notice>
    </section>
  );
}
