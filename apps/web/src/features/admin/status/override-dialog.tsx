import { overrideStates } from '@uprez/contracts/policy/status';
import { type AdminService, type NewOverride, setOverrideBodySchema } from '@uprez/contracts/schemas/status';
import { serviceStateNames } from '@uprez/contracts/texts/status';
import { useState } from 'react';
import * as z from 'zod';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { inputTime, parseInputTime } from '../../../lib/format/input-time.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Select } from '../../../ui/controls/select.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { browserTimeZone } from '../schedule/local-time.ts';
import { scheduleMessages as scheduleText } from '../schedule/messages.ts';
import { statusMessages } from './messages.ts';
import { statusKeys } from './queries.ts';

const { overrideDialog: dialog } = statusMessages;
const states = overrideStates.map((value) => ({ value, label: serviceStateNames[value] }));

const bodyOf = ({ state, until }: NewOverride): NewOverride => ({ state, until: parseInputTime(until) });
const schema = z
  .custom<NewOverride>(() => true)
  .transform(bodyOf)
  .pipe(setOverrideBodySchema);

/** Asks in which state a service is shown, and until when. */
export function OverrideDialog({
  service: { service, name },
  onClose,
}: {
  service: AdminService;
  onClose: () => void;
}) {
  const set = useResourceMutation({
    call: async (body: NewOverride) => (await adminApi.adminSetOverride({ params: { service }, body })).data,
    invalidates: statusKeys,
  });
  const [inAnHour] = useState(() => inputTime(Date.now() + 3_600_000));
  const form = useApiForm<NewOverride>({
    schema,
    defaultValues: { state: 'degraded', until: inAnHour },
    send: async (values) => {
      await set.mutateAsync(bodyOf(values));
      showToast({ title: dialog.done });
      onClose();
    },
  });
  return (
    <FormDialog title={dialog.title(name)} description={dialog.text} form={form} text={dialog} onClose={onClose}>
      <Select
        label={dialog.state}
        options={states}
        value={form.watch('state')}
        onChange={(state) => form.change({ state })}
      />
      <TextField
        label={dialog.until}
        hint={dialog.untilHint(scheduleText.zone(browserTimeZone()))}
        {...form.field('until')}
        type="datetime-local"
        required
      />
    </FormDialog>
  );
}
