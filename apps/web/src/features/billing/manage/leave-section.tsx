import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { useId, useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { BillingSection } from '../billing-section.tsx';
import { billingMessages } from '../messages.ts';
import { whyNotPaused } from './blocked-actions.ts';
import { CancelDialog, describeCancel } from './cancel-dialog.tsx';
import { PauseDialog } from './pause-dialog.tsx';

const text = billingMessages.leave;

type LeaveSectionProps = {
  billing: Billing;
  subscription: NonNullable<Billing['subscription']>;
  onDone: () => void;
};

/** Pauses or cancels the plan. Each asks once. */
export function LeaveSection({ billing, subscription, onDone }: LeaveSectionProps) {
  const [dialog, setDialog] = useState<'pause' | 'cancel'>();
  const close = () => setDialog(undefined);
  const finish = () => {
    close();
    onDone();
  };
  const dialogProps = { billing, subscription, onClose: close, onDone: finish };
  const reason = whyNotPaused(subscription);
  const reasonId = useId();
  return (
    <BillingSection title={text.title}>
      <div className="grid gap-1 text-muted text-sm">
        <p>{describeCancel(billing, subscription)}</p>
        {reason && <p id={reasonId}>{reason}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          look="secondary"
          disabled={reason !== undefined}
          aria-describedby={reason && reasonId}
          onClick={() => setDialog('pause')}
        >
          {text.pause}
        </Button>
        <Button look="danger" onClick={() => setDialog('cancel')}>
          {text.cancel}
        </Button>
      </div>
      {dialog === 'pause' && <PauseDialog {...dialogProps} />}
      {dialog === 'cancel' && <CancelDialog {...dialogProps} />}
    </BillingSection>
  );
}
