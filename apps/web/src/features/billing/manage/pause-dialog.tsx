import { pauseMonths } from '@uprez/contracts/policy/billing';
import { type Billing, pauseSubscriptionBodySchema } from '@uprez/contracts/schemas/billing/billing';
import { formatDay } from '@uprez/contracts/texts/format';
import { api } from '../../../lib/api/api.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { billingMessages } from '../messages.ts';
import { isApplied } from './list-facts.ts';
import { useBillingAction } from './use-billing-action.ts';

const text = billingMessages.leave;
const options = pauseMonths.map((months) => ({ value: String(months), label: text.month(months) }));
type Months = (typeof pauseMonths)[number];

type PauseDialogProps = {
  billing: Billing;
  subscription: NonNullable<Billing['subscription']>;
  onDone: () => void;
  onClose: () => void;
};

/** Asks how long the plan is paused, and pauses it. */
export function PauseDialog({ billing, subscription, onDone, onClose }: PauseDialogProps) {
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
      description={(isApplied(billing) ? text.pauseText : text.pauseTextUnused)(formatDay(subscription.periodEnd))}
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
