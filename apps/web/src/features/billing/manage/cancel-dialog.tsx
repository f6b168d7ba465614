import { cancelFeedbacks } from '@uprez/contracts/policy/billing';
import { type Billing, cancelSubscriptionBodySchema } from '@uprez/contracts/schemas/billing/billing';
import { formatDay, formatMoney } from '@uprez/contracts/texts/format';
import * as z from 'zod';
import { api } from '../../../lib/api/api.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TextArea } from '../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { billingMessages } from '../messages.ts';
import { isApplied } from './list-facts.ts';
import { useBillingAction } from './use-billing-action.ts';

const text = billingMessages.leave;
type Subscription = NonNullable<Billing['subscription']>;
const none = 'none';
const reasons = [
  { value: none, label: text.noReason },
  ...cancelFeedbacks.map((value) => ({ value, label: text.feedbacks[value] })),
];
const ways = ['refund', 'end'] as const;

const toBody = ({ feedback, comment }: { feedback: string; comment: string }) => ({
  ...(feedback !== none && { feedback }),
  ...(comment.trim() !== '' && { comment }),
});
const schema = z
  .object({ feedback: z.string(), comment: z.string(), way: z.enum(ways) })
  .transform(toBody)
  .pipe(cancelSubscriptionBodySchema);

/** What happens to a plan that is canceled. */
export function describeCancel(billing: Billing, { periodEnd }: Subscription): string {
  const { moneyBackUntil, unpaid, override } = billing;
  if (moneyBackUntil) return text.refundText(formatDay(moneyBackUntil));
  if (unpaid) return override ? text.cancelNowUnused : text.cancelNow;
  return isApplied(billing) ? text.cancelText(formatDay(periodEnd)) : text.cancelUnused(formatDay(periodEnd));
}

type CancelDialogProps = {
  billing: Billing;
  subscription: Subscription;
  onDone: () => void;
  onClose: () => void;
};

/** Asks why the plan is canceled, and cancels it. Yearly plans are refunded within their first days. */
export function CancelDialog({ billing, subscription, onDone, onClose }: CancelDialogProps) {
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
    defaultValues: { feedback: none, comment: '', way: moneyBackUntil ? 'refund' : 'end' },
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
      description={describeCancel(billing, subscription)}
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
