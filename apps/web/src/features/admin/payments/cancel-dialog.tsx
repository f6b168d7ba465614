import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { cancelTimes } from '@uprez/contracts/policy/admin-payments';
import { type AdminSubscription, adminCancelBodySchema } from '@uprez/contracts/schemas/billing/admin-payments';
import { formatDay } from '@uprez/contracts/texts/format';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { emptyAsUndefined, useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { adminMessages } from '../messages.ts';
import { paymentMessages } from './messages.ts';

const text = paymentMessages.cancellation;
const label = (value: (typeof cancelTimes)[number]) => text.times[value];

/** Asks when a subscription ends. One that is unpaid can only end now. */
export function CancelDialog({ subscription, onClose }: { subscription: AdminSubscription; onClose: () => void }) {
  const { id, account, badge, cancelAt, periodEnd } = subscription;
  const mayWait = badge === 'active' && cancelAt === null;
  const cancel = useResourceMutation({
    call: async (body: { when: (typeof cancelTimes)[number]; note?: string | undefined }) =>
      (await adminApi.adminCancelSubscription({ params: { id }, body })).data,
    invalidates: [[adminRoutes.adminListSubscriptions.path]],
  });
  const form = useApiForm({
    schema: adminCancelBodySchema,
    defaultValues: { when: mayWait ? 'period_end' : 'now', note: undefined },
    send: async (body) => {
      await cancel.mutateAsync(body);
      showToast({ title: text.done });
      onClose();
    },
  });
  const when = form.watch('when');
  return (
    <FormDialog
      title={text.title(account?.email ?? adminMessages.table.noAccount)}
      description={when === 'now' ? text.now : text.period_end(formatDay(periodEnd))}
      form={form}
      text={text}
      keep={text.keep}
      onClose={onClose}
    >
      <Segmented
        legend={text.when}
        legendHidden
        options={cancelTimes.map((value) => ({
          value,
          label: label(value),
          disabled: value === 'period_end' && !mayWait,
        }))}
        value={when}
        onChange={(chosen) => form.change({ when: chosen })}
      />
      <TextField
        label={text.note}
        optional={text.optional}
        hint={text.noteHint}
        {...form.field('note', emptyAsUndefined)}
        autoComplete="off"
      />
    </FormDialog>
  );
}
