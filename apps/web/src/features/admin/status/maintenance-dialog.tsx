import { statusRules } from '@uprez/contracts/policy/status';
import { type NewMaintenance, scheduleMaintenanceBodySchema } from '@uprez/contracts/schemas/status';
import { useState } from 'react';
import * as z from 'zod';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { inputTime, parseInputTime } from '../../../lib/format/input-time.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { TextArea, TextField } from '../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { browserTimeZone } from '../schedule/local-time.ts';
import { scheduleMessages as scheduleText } from '../schedule/messages.ts';
import { AlwaysNotified, ServiceChoice } from './form-fields.tsx';
import { statusMessages } from './messages.ts';
import { statusKeys } from './queries.ts';

const { maintenanceDialog: dialog, form: text } = statusMessages;
const hourMs = 3_600_000;

const bodyOf = ({ startsAt, endsAt, ...rest }: NewMaintenance): NewMaintenance => ({
  ...rest,
  startsAt: parseInputTime(startsAt),
  endsAt: parseInputTime(endsAt),
});
const schema = z
  .custom<NewMaintenance>(() => true)
  .transform(bodyOf)
  .pipe(scheduleMaintenanceBodySchema);

/** Asks for planned maintenance, and announces it. */
export function MaintenanceDialog({ onClose }: { onClose: () => void }) {
  const schedule = useResourceMutation({
    call: async (body: NewMaintenance) => (await adminApi.adminScheduleMaintenance({ body })).data,
    invalidates: statusKeys,
  });
  const [firstMs] = useState(() => Math.ceil(Date.now() / hourMs) * hourMs + statusRules.noticeS * 1_000);
  const form = useApiForm<NewMaintenance>({
    schema,
    defaultValues: {
      title: '',
      services: [],
      text: '',
      startsAt: inputTime(firstMs),
      endsAt: inputTime(firstMs + hourMs),
    },
    send: async (values) => {
      await schedule.mutateAsync(bodyOf(values));
      showToast({ title: dialog.done });
      onClose();
    },
  });
  return (
    <FormDialog title={dialog.title} description={dialog.text} form={form} text={dialog} onClose={onClose}>
      <TextField label={text.title} {...form.field('title')} maxLength={statusRules.titleLength} autoComplete="off" />
      <TextField
        label={text.startsAt}
        hint={scheduleText.zone(browserTimeZone())}
        {...form.field('startsAt')}
        type="datetime-local"
        required
      />
      <TextField label={text.endsAt} {...form.field('endsAt')} type="datetime-local" required />
      <ServiceChoice
        value={form.watch('services')}
        onChange={(services) => form.change({ services })}
        error={form.errorOf('services')}
      />
      <TextArea label={text.text} hint={text.textHint} {...form.field('text')} maxLength={statusRules.textLength} />
      <AlwaysNotified />
    </FormDialog>
  );
}
