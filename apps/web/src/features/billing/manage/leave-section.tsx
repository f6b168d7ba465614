import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { BillingSection } from '../billing-section.tsx';
import { billingMessages } from '../messages.ts';
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
  const dialogProps = { subscription, onClose: close, onDone: finish };
  const { badge, plan, pausedUntil, next, pending } = subscription;
  const isMonthly = plan.interval === 'month';
  const canPause = isMonthly && badge === 'active' && !pausedUntil && !next && !pending;
  return (
    <BillingSection title={text.title}>
      <p className="text-muted text-sm">
        {describeCancel(billing, subscription)}
        {!isMonthly && ` ${text.yearlyPause}`}
      </p>
      <div className="flex flex-wrap gap-2">
        {canPause && (
          <Button look="secondary" onClick={() => setDialog('pause')}>
            {text.pause}
          </Button>
        )}
        <Button look="danger" onClick={() => setDialog('cancel')}>
          {text.cancel}
        </Button>
      </div>
      {dialog === 'pause' && <PauseDialog {...dialogProps} />}
      {dialog === 'cancel' && <CancelDialog {...dialogProps} billing={billing} />}
    </BillingSection>
  );
}
