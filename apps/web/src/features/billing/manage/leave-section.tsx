import { cancelFeedbacks, pauseMonths } from '@uprez/contracts/policy/billing/billing';
import {
  type Billing,
  cancelSubscriptionBodySchema,
  pauseSubscriptionBodySchema,
} from '@uprez/contracts/schemas/billing/billing';
import { formatDay, formatMoney } from '@uprez/contracts/texts/format';
import { useId, useState } from 'react';
import * as z from 'zod';
import { api } from '../../../lib/api/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { FormCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { BillingSection } from '../billing-section.tsx';
import { billingMessages } from '../messages.ts';
import { findPauseBlock, isSubscriptionPlanInEffect } from './plan-facts.ts';
import { useBillingAction } from './use-billing-action.ts';

const text = billingMessages.leave;

type LeaveSectionProps = {
  billing: Billing;
  subscription: NonNullable<Billing['subscription']>;
  onDone: () => void;
};

export function LeaveSection({ billing, subscription, onDone }: LeaveSectionProps) {
  const [dialog, setDialog] = useState<'pause' | 'cancel'>();
  const close = () => setDialog(undefined);
  const finish = () => {
    close();
    onDone();
  };
  const dialogProps = { billing, subscription, onClose: close, onDone: finish };
  const reason = findPauseBlock(subscription);
  const reasonId = useId();
  return (
    <BillingSection title={text.title}>
      <div className="grid gap-1 text-muted text-sm">
        <p>{describeCancellation(billing, subscription)}</p>
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

const options = pauseMonths.map((months) => ({ value: months, label: text.month(months) }));
type PauseMonths = (typeof pauseMonths)[number];

type PauseDialogProps = {
  billing: Billing;
  subscription: NonNullable<Billing['subscription']>;
  onDone: () => void;
  onClose: () => void;
};

function PauseDialog({ billing, subscription, ...dialog }: PauseDialogProps) {
  const end = formatDay(subscription.periodEnd);
  const pause = useBillingAction({
    call: (body: { months: PauseMonths }) => api.pauseSubscription({ body }),
    done: () => text.paused(end),
  });
  return (
    <FormCallDialog
      {...dialog}
      text={{
        title: text.pauseTitle,
        text: isSubscriptionPlanInEffect(billing) ? text.pauseText(end) : text.pauseTextUnused(end),
        submit: text.pauseSubmit,
        pending: text.pausing,
      }}
      keep={text.keep}
      schema={pauseSubscriptionBodySchema}
      initial={{ months: 1 }}
      fields={[{ kind: 'segmented', name: 'months', label: text.months, options }]}
      failure={text.pauseFailed}
      call={pause.mutateAsync}
    />
  );
}

type Subscription = NonNullable<Billing['subscription']>;
const noReasonValue = 'none';
const reasons = [
  { value: noReasonValue, label: text.noReason },
  ...cancelFeedbacks.map((value) => ({ value, label: text.feedbacks[value] })),
];
const ways = ['refund', 'end'] as const;

const toBody = ({ feedback, comment }: { feedback: string; comment: string }) => ({
  ...(feedback !== noReasonValue && { feedback }),
  ...(comment.trim() !== '' && { comment }),
});
const schema = z
  .object({ feedback: z.string(), comment: z.string(), way: z.enum(ways) })
  .transform(toBody)
  .pipe(cancelSubscriptionBodySchema);

export function describeCancellation(billing: Billing, { periodEnd }: Subscription): string {
  const { moneyBackUntil, unpaid, override } = billing;
  if (moneyBackUntil) return text.refundText(formatDay(moneyBackUntil));
  if (unpaid) return override ? text.cancelNowUnused : text.cancelNow;
  return isSubscriptionPlanInEffect(billing)
    ? text.cancelText(formatDay(periodEnd))
    : text.cancelUnused(formatDay(periodEnd));
}

type CancelDialogProps = {
  billing: Billing;
  subscription: Subscription;
  onDone: () => void;
  onClose: () => void;
};

function CancelDialog({ billing, subscription, ...dialog }: CancelDialogProps) {
  const { moneyBackUntil, moneyBackAmount } = billing;
  const { currency } = subscription.plan.price;
  const end = formatDay(subscription.periodEnd);
  const cancel = useBillingAction({
    call: ({ way, ...values }: { feedback: string; comment: string; way: string }) => {
      const body = cancelSubscriptionBodySchema.parse(toBody(values));
      return way === 'refund' ? api.refundSubscription({ body }) : api.cancelSubscription({ body });
    },
    done: ({ subscription: left }) => (left?.cancelAt ? text.canceled(formatDay(left.cancelAt)) : text.canceledNow),
  });
  const refund = formatMoney({ amount: moneyBackAmount ?? 0, currency });
  const labels = {
    refund: text.withRefund(refund),
    end: text.withoutRefund(end),
  };
  return (
    <FormCallDialog
      {...dialog}
      text={(form) => ({
        title: text.cancelTitle,
        text: describeCancellation(billing, subscription),
        submit: form.watch('way') === 'refund' ? text.submitRefund(refund) : text.submit,
        pending: text.canceling,
      })}
      keep={text.keep}
      schema={schema}
      initial={{ feedback: noReasonValue, comment: '', way: moneyBackUntil ? 'refund' : 'end' }}
      fields={[
        moneyBackUntil !== null && {
          kind: 'segmented',
          name: 'way',
          label: text.refundTitle,
          options: ways.map((value) => ({ value, label: labels[value] })),
          stacks: true,
        },
        { kind: 'select', name: 'feedback', label: text.reason, options: reasons },
        { kind: 'area', name: 'comment', label: text.comment, optional: text.optional, rows: 3 },
      ]}
      failure={text.failed}
      call={cancel.mutateAsync}
    />
  );
}
