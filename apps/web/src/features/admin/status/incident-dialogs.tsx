import { incidentSeverities, incidentStates, maintenanceStates, statusRules } from '@uprez/contracts/policy/status';
import {
  type AdminIncident,
  addUpdateBodySchema,
  createIncidentBodySchema,
  type NewIncident,
  type NewUpdate,
} from '@uprez/contracts/schemas/status';
import { incidentStateNames, severityNames } from '@uprez/contracts/texts/status';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Select } from '../../../ui/controls/select.tsx';
import { TextArea, TextField } from '../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { AlwaysNotified, NotifyChoice, ServiceChoice } from './form-fields.tsx';
import { statusMessages } from './messages.ts';
import { statusKeys } from './queries.ts';

const { createDialog, updateDialog, form: text } = statusMessages;
const severities = incidentSeverities.map((value) => ({ value, label: severityNames[value] }));
/** Canceling has an action of its own. */
const openMaintenance = maintenanceStates.filter((state) => state !== 'canceled');
const openStates = incidentStates.filter((state) => state !== 'resolved');
const toOptions = <State extends keyof typeof incidentStateNames>(states: readonly State[]) =>
  states.map((value) => ({ value, label: incidentStateNames[value] }));

/** Asks for a new incident, and publishes it. */
export function IncidentDialog({ onClose }: { onClose: () => void }) {
  const create = useResourceMutation({
    call: async (body: NewIncident) => (await adminApi.adminCreateIncident({ body })).data,
    invalidates: statusKeys,
  });
  const form = useApiForm<NewIncident>({
    schema: createIncidentBodySchema,
    defaultValues: { title: '', severity: 'minor', state: 'investigating', services: [], text: '', notify: false },
    send: async (body) => {
      await create.mutateAsync(body);
      showToast({ title: createDialog.done });
      onClose();
    },
  });
  return (
    <FormDialog
      title={createDialog.title}
      description={createDialog.text}
      form={form}
      text={createDialog}
      onClose={onClose}
    >
      <TextField label={text.title} {...form.field('title')} maxLength={statusRules.titleLength} autoComplete="off" />
      <Select
        label={text.severity}
        options={severities}
        value={form.watch('severity')}
        onChange={(severity) => form.change({ severity })}
      />
      <Select
        label={text.state}
        options={toOptions(openStates)}
        value={form.watch('state')}
        onChange={(state) => form.change({ state })}
      />
      <ServiceChoice
        value={form.watch('services')}
        onChange={(services) => form.change({ services })}
        error={form.errorOf('services')}
      />
      <TextArea label={text.text} hint={text.textHint} {...form.field('text')} maxLength={statusRules.textLength} />
      <NotifyChoice value={form.watch('notify')} onChange={(notify) => form.change({ notify })} />
    </FormDialog>
  );
}

type UpdateDialogProps = { incident: AdminIncident; onClose: () => void };

/** Asks for an update of an incident, and publishes it. */
export function UpdateDialog({ incident: { id, title, severity, state }, onClose }: UpdateDialogProps) {
  const isMaintenance = severity === 'maintenance';
  const add = useResourceMutation({
    call: async (body: NewUpdate) => (await adminApi.adminAddIncidentUpdate({ params: { id }, body })).data,
    invalidates: statusKeys,
  });
  const form = useApiForm<NewUpdate>({
    schema: addUpdateBodySchema,
    defaultValues: { state, text: '', notify: false },
    send: async (body) => {
      await add.mutateAsync(body);
      showToast({ title: updateDialog.done });
      onClose();
    },
  });
  return (
    <FormDialog
      title={updateDialog.title(title)}
      description={isMaintenance ? updateDialog.maintenanceText : updateDialog.text}
      form={form}
      text={updateDialog}
      onClose={onClose}
    >
      <Select
        label={text.state}
        options={isMaintenance ? toOptions(openMaintenance) : toOptions(incidentStates)}
        value={form.watch('state')}
        onChange={(next) => form.change({ state: next })}
      />
      <TextArea label={text.text} hint={text.textHint} {...form.field('text')} maxLength={statusRules.textLength} />
      {isMaintenance ? (
        <AlwaysNotified />
      ) : (
        <NotifyChoice value={form.watch('notify')} onChange={(notify) => form.change({ notify })} />
      )}
    </FormDialog>
  );
}
