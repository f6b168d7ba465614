import {
  incidentSeverities,
  incidentStates,
  maintenanceStates,
  overrideStates,
  statusRules,
} from '@uprez/contracts/policy/status';
import {
  type AdminIncident,
  type AdminService,
  addUpdateBodySchema,
  createIncidentBodySchema,
  type NewMaintenance,
  type NewOverride,
  scheduleMaintenanceBodySchema,
  setOverrideBodySchema,
} from '@uprez/contracts/schemas/status';
import { incidentStateNames, serviceStateNames, severityNames } from '@uprez/contracts/texts/status';
import { useState } from 'react';
import * as z from 'zod';
import { inputTime, parseInputTime } from '../../../lib/format/input-time.ts';
import { ConfirmCallDialog, FormCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { browserTimeZone } from '../schedule/local-time.ts';
import { scheduleMessages as scheduleText } from '../schedule/messages.ts';
import { AlwaysNotified, NotifyChoice, ServiceChoice } from './form-fields.tsx';
import { statusMessages } from './messages.ts';
import { statusKeys } from './queries.ts';

const { createDialog, updateDialog, cancelDialog, maintenanceDialog, overrideDialog, form: text } = statusMessages;
const severities = incidentSeverities.map((value) => ({ value, label: severityNames[value] }));
/** Canceling has an action of its own. */
const openMaintenance = maintenanceStates.filter((state) => state !== 'canceled');
const openStates = incidentStates.filter((state) => state !== 'resolved');
const toOptions = <State extends keyof typeof incidentStateNames>(states: readonly State[]) =>
  states.map((value) => ({ value, label: incidentStateNames[value] }));
const hourMs = 3_600_000;

const titleField = {
  name: 'title',
  label: text.title,
  maxLength: statusRules.titleLength,
  autoComplete: 'off',
} as const;
const textField = {
  kind: 'area',
  name: 'text',
  label: text.text,
  hint: text.textHint,
  maxLength: statusRules.textLength,
} as const;

/** Dialog for creating and publishing an incident. */
export const IncidentDialog = ({ onClose }: { onClose: () => void }) => (
  <FormCallDialog
    text={createDialog}
    schema={createIncidentBodySchema}
    initial={{ title: '', severity: 'minor', state: 'investigating', services: [], text: '', notify: false }}
    fields={(form) => [
      titleField,
      { kind: 'select', name: 'severity', label: text.severity, options: severities },
      { kind: 'select', name: 'state', label: text.state, options: toOptions(openStates) },
      <ServiceChoice
        value={form.watch('services')}
        onChange={(services) => form.change({ services })}
        error={form.errorOf('services')}
      />,
      textField,
      <NotifyChoice value={form.watch('notify')} onChange={(notify) => form.change({ notify })} />,
    ]}
    call={(body) => adminApi.adminCreateIncident({ body })}
    refreshes={statusKeys}
    done={createDialog.done}
    onClose={onClose}
  />
);

type IncidentProps = { incident: AdminIncident; onClose: () => void };

/** Dialog for publishing an update of an incident. */
export function UpdateDialog({ incident: { id, title, severity, state }, onClose }: IncidentProps) {
  const isMaintenance = severity === 'maintenance';
  return (
    <FormCallDialog
      text={{
        ...updateDialog,
        title: updateDialog.title(title),
        text: isMaintenance ? updateDialog.maintenanceText : updateDialog.text,
      }}
      schema={addUpdateBodySchema}
      initial={{ state, text: '', notify: false }}
      fields={(form) => [
        {
          kind: 'select',
          name: 'state',
          label: text.state,
          options: isMaintenance ? toOptions(openMaintenance) : toOptions(incidentStates),
        },
        textField,
        isMaintenance ? (
          <AlwaysNotified />
        ) : (
          <NotifyChoice value={form.watch('notify')} onChange={(notify) => form.change({ notify })} />
        ),
      ]}
      call={(body) => adminApi.adminAddIncidentUpdate({ params: { id }, body })}
      refreshes={statusKeys}
      done={updateDialog.done}
      onClose={onClose}
    />
  );
}

/** Confirms canceling scheduled maintenance. */
export const CancelMaintenanceDialog = ({ incident: { id, title }, onClose }: IncidentProps) => (
  <ConfirmCallDialog
    text={{ ...cancelDialog, title: cancelDialog.title(title) }}
    call={() =>
      adminApi.adminAddIncidentUpdate({ params: { id }, body: { state: 'canceled', text: cancelDialog.update } })
    }
    refreshes={statusKeys}
    failed={cancelDialog.failed}
    done={cancelDialog.done}
    onClose={onClose}
  />
);

const maintenanceBody = ({ startsAt, endsAt, ...rest }: NewMaintenance): NewMaintenance => ({
  ...rest,
  startsAt: parseInputTime(startsAt),
  endsAt: parseInputTime(endsAt),
});
const maintenanceSchema = z
  .custom<NewMaintenance>(() => true)
  .transform(maintenanceBody)
  .pipe(scheduleMaintenanceBodySchema);

/** Dialog for scheduling and announcing maintenance. */
export function MaintenanceDialog({ onClose }: { onClose: () => void }) {
  const [firstMs] = useState(() => Math.ceil(Date.now() / hourMs) * hourMs + statusRules.noticeS * 1_000);
  const time = { type: 'datetime-local', required: true };
  return (
    <FormCallDialog
      text={maintenanceDialog}
      schema={maintenanceSchema}
      initial={{
        title: '',
        services: [],
        text: '',
        startsAt: inputTime(firstMs),
        endsAt: inputTime(firstMs + hourMs),
      }}
      fields={(form) => [
        titleField,
        { name: 'startsAt', label: text.startsAt, hint: scheduleText.zone(browserTimeZone()), ...time },
        { name: 'endsAt', label: text.endsAt, ...time },
        <ServiceChoice
          value={form.watch('services')}
          onChange={(services) => form.change({ services })}
          error={form.errorOf('services')}
        />,
        textField,
        <AlwaysNotified />,
      ]}
      call={(values) => adminApi.adminScheduleMaintenance({ body: maintenanceBody(values) })}
      refreshes={statusKeys}
      done={maintenanceDialog.done}
      onClose={onClose}
    />
  );
}

const states = overrideStates.map((value) => ({ value, label: serviceStateNames[value] }));
const overrideBody = ({ state, until }: NewOverride): NewOverride => ({ state, until: parseInputTime(until) });
const overrideSchema = z
  .custom<NewOverride>(() => true)
  .transform(overrideBody)
  .pipe(setOverrideBodySchema);

type OverrideDialogProps = { service: AdminService; onClose: () => void };

/** Dialog for overriding the shown state of a service until a time. */
export function OverrideDialog({ service: { service, name }, onClose }: OverrideDialogProps) {
  const [inAnHour] = useState(() => inputTime(Date.now() + hourMs));
  return (
    <FormCallDialog
      text={{ ...overrideDialog, title: overrideDialog.title(name) }}
      schema={overrideSchema}
      initial={{ state: 'degraded', until: inAnHour }}
      fields={[
        { kind: 'select', name: 'state', label: overrideDialog.state, options: states },
        {
          name: 'until',
          label: overrideDialog.until,
          hint: overrideDialog.untilHint(scheduleText.zone(browserTimeZone())),
          type: 'datetime-local',
          required: true,
        },
      ]}
      call={(values) => adminApi.adminSetOverride({ params: { service }, body: overrideBody(values) })}
      refreshes={statusKeys}
      done={overrideDialog.done}
      onClose={onClose}
    />
  );
}
