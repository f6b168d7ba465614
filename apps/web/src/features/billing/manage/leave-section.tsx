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
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TextArea } from '../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
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

const options = pauseMonths.map((months) => ({ value: String(months), label: text.month(months) }));
type Months = (typeof pauseMonths)[number];

type PauseDialogProps = {
  billing: Billing;
  subscription: NonNullable<Billing['subscription']>;
  onDone: () => void;
  onClose: () => void;
};

function PauseDialog({ billing, subscription, onDone, onClose }: PauseDialogProps) {
  const pause = useBillingAction({
    call: (body: { months: Months }) => api.pauseSubscription({ body }),
    done: () => text.paused(formatDay(subscription.periodEnd)),
    onDone,
  });
  const form = useApiForm<{ months: Months }>({
    schema: pauseSubscriptionBodySchema,
    defaultValues: { months: 1 },
    failure: text.pauseFailed,
    send: (body) => pause.mutateAsync(body),
  });
  return (
    <FormDialog
      title={text.pauseTitle}
      description={(isSubscriptionPlanInEffect(billing) ? text.pauseText : text.pauseTextUnused)(
        formatDay(subscription.periodEnd),
      )}
      form={form}
      text={{ submit: text.pauseSubmit, pending: text.pausing }}
      keep={text.keep}
      onClose={onClose}
    >
      <Segmented
        legend={text.months}
        options={options}
        value={String(form.watch('months'))}
        onChange={(value) => form.change({ months: pauseMonths.find((months) => String(months) === value) ?? 1 })}
      />
    </FormDialog>
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

function CancelDialog({ billing, subscription, onDone, onClose }: CancelDialogProps) {
  const { moneyBackUntil, moneyBackAmount } = billing;
  const { currency } = subscription.plan.price;
  const end = formatDay(subscription.periodEnd);
  const cancel = useBillingAction({
    call: ({ way, ...values }: { feedback: string; comment: string; way: string }) => {
      const body = cancelSubscriptionBodySchema.parse(toBody(values));
      return way === 'refund' ? api.refundSubscription({ body }) : api.cancelSubscription({ body });
    },
    done: ({ subscription: left }) => (left?.cancelAt ? text.canceled(formatDay(left.cancelAt)) : text.canceledNow),
    onDone,
  });
  const form = useApiForm({
    schema,
    defaultValues: { feedback: noReasonValue, comment: '', way: moneyBackUntil ? 'refund' : 'end' },
    failure: text.failed,
    send: (values) => cancel.mutateAsync(values),
  });
  const way = form.watch('way');
  const refund = formatMoney({ amount: moneyBackAmount ?? 0, currency });
  const labels = {
    refund: text.withRefund(refund),
    end: text.withoutRefund(end),
  };
  return (
    <FormDialog
      title={text.cancelTitle}
      description={describeCancellation(billing, subscription)}
      form={form}
      text={{ submit: way === 'refund' ? text.submitRefund(refund) : text.submit, pending: text.canceling }}
      keep={text.keep}
      onClose={onClose}
    >
      {moneyBackUntil && (
        <Segmented
          legend={text.refundTitle}
          options={ways.map((value) => ({ value, label: labels[value] }))}
          value={way}
          onChange={(chosen) => form.change({ way: chosen })}
          stacks
        />
      )}
      <Select
        label={text.reason}
        value={form.watch('feedback')}
        onChange={(feedback) => form.change({ feedback })}
        options={reasons}
      />
      <TextArea label={text.comment} optional={text.optional} rows={3} {...form.field('comment')} />
    </FormDialog>
  );
}
