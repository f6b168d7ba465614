import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import {
  incidentSeverities,
  incidentStates,
  maintenanceStates,
  overrideStates,
  type StatusService,
  statusRules,
  statusServices,
} from '@uprez/contracts/policy/status';
import {
  type AdminIncident,
  type AdminService,
  addUpdateBodySchema,
  createIncidentBodySchema,
  type NewMaintenance,
  type NewServiceOverride,
  scheduleMaintenanceBodySchema,
  setOverrideBodySchema,
} from '@uprez/contracts/schemas/status';
import { incidentStateNames, serviceNames, serviceStateNames, severityNames } from '@uprez/contracts/texts/status';
import { useId, useState } from 'react';
import * as z from 'zod';
import { formatInputTime, parseInputTime } from '../../../lib/format/input-time.ts';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { ConfirmCallDialog, FormCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { getBrowserTimeZone, scheduleMessages as scheduleText } from '../schedule/schedule-dialog.tsx';
import { statusMessages } from './messages.ts';

const { createDialog, updateDialog, cancelDialog, maintenanceDialog, overrideDialog, form: text } = statusMessages;
const severities = incidentSeverities.map((value) => ({ value, label: severityNames[value] }));
/** Leaves out `canceled`, because canceling is a separate action. */
const selectableMaintenanceStates = maintenanceStates.filter((state) => state !== 'canceled');
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

export const IncidentDialog = ({ onClose }: { onClose: () => void }) => (
  <FormCallDialog
    text={createDialog}
    schema={createIncidentBodySchema}
    initial={{ title: '', severity: 'minor', state: 'investigating', services: [], text: '', notify: false }}
    fields={(form) => [
      titleField,
      { kind: 'select', name: 'severity', label: text.severity, options: severities },
      { kind: 'select', name: 'state', label: text.state, options: toOptions(openStates) },
      <ServiceChoice {...form.choice('services')} error={form.errorOf('services')} />,
      textField,
      <NotifyChoice {...form.choice('notify')} />,
    ]}
    call={(body) => adminApi.adminCreateIncident({ body })}
    refreshes={statusKeys}
    done={createDialog.done}
    onClose={onClose}
  />
);

type IncidentProps = { incident: AdminIncident; onClose: () => void };

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
          options: isMaintenance ? toOptions(selectableMaintenanceStates) : toOptions(incidentStates),
        },
        textField,
        isMaintenance ? <AlwaysNotified /> : <NotifyChoice {...form.choice('notify')} />,
      ]}
      call={(body) => adminApi.adminAddIncidentUpdate({ params: { id }, body })}
      refreshes={statusKeys}
      done={updateDialog.done}
      onClose={onClose}
    />
  );
}

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

const toMaintenanceBody = ({ startsAt, endsAt, ...rest }: NewMaintenance): NewMaintenance => ({
  ...rest,
  startsAt: parseInputTime(startsAt),
  endsAt: parseInputTime(endsAt),
});
const maintenanceSchema = z
  .custom<NewMaintenance>(() => true)
  .transform(toMaintenanceBody)
  .pipe(scheduleMaintenanceBodySchema);

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
        startsAt: formatInputTime(firstMs),
        endsAt: formatInputTime(firstMs + hourMs),
      }}
      fields={(form) => [
        titleField,
        { name: 'startsAt', label: text.startsAt, hint: scheduleText.zone(getBrowserTimeZone()), ...time },
        { name: 'endsAt', label: text.endsAt, ...time },
        <ServiceChoice {...form.choice('services')} error={form.errorOf('services')} />,
        textField,
        <AlwaysNotified />,
      ]}
      call={(values) => adminApi.adminScheduleMaintenance({ body: toMaintenanceBody(values) })}
      refreshes={statusKeys}
      done={maintenanceDialog.done}
      onClose={onClose}
    />
  );
}

const states = overrideStates.map((value) => ({ value, label: serviceStateNames[value] }));
const toOverrideBody = ({ state, until }: NewServiceOverride): NewServiceOverride => ({
  state,
  until: parseInputTime(until),
});
const overrideSchema = z
  .custom<NewServiceOverride>(() => true)
  .transform(toOverrideBody)
  .pipe(setOverrideBodySchema);

type OverrideDialogProps = { service: AdminService; onClose: () => void };

export function OverrideDialog({ service: { service, name }, onClose }: OverrideDialogProps) {
  const [inAnHour] = useState(() => formatInputTime(Date.now() + hourMs));
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
          hint: overrideDialog.untilHint(scheduleText.zone(getBrowserTimeZone())),
          type: 'datetime-local',
          required: true,
        },
      ]}
      call={(values) => adminApi.adminSetOverride({ params: { service }, body: toOverrideBody(values) })}
      refreshes={statusKeys}
      done={overrideDialog.done}
      onClose={onClose}
    />
  );
}

type ServiceChoiceProps = {
  value: readonly StatusService[];
  onChange: (services: StatusService[]) => void;
  error: string | undefined;
};

function ServiceChoice({ value, onChange, error }: ServiceChoiceProps) {
  const id = useId();
  const toggle = (service: StatusService, chosen: boolean) =>
    onChange(statusServices.filter((one) => (one === service ? chosen : value.includes(one))));
  return (
    <fieldset className="grid gap-2" aria-describedby={error && id}>
      <legend className="mb-2 font-medium text-sm">{statusMessages.form.services}</legend>
      {statusServices.map((service) => (
        <Checkbox
          key={service}
          label={serviceNames[service]}
          checked={value.includes(service)}
          onChange={(chosen) => toggle(service, chosen)}
        />
      ))}
      {error && (
        <p id={id} className="text-danger text-sm">
          {error}
        </p>
      )}
    </fieldset>
  );
}

type NotifyChoiceProps = { value: boolean | undefined; onChange: (notify: boolean) => void };

const NotifyChoice = ({ value = false, onChange }: NotifyChoiceProps) => (
  <Checkbox
    label={
      <span className="grid">
        {statusMessages.form.notify}
        <span className="text-muted text-xs">{statusMessages.form.notifyHint}</span>
      </span>
    }
    checked={value}
    onChange={onChange}
  />
);

/** Notes that maintenance updates are always emailed. Shown in place of `NotifyChoice`. */
const AlwaysNotified = () => <p className="text-muted text-xs">{statusMessages.form.always}</p>;

export const statusKeys = [
  [adminRoutes.adminListIncidents.path],
  [adminRoutes.adminListServices.path],
  [adminRoutes.adminNotices.path],
  [apiRoutes.getStatus.path],
] as const;

export const useServices = () =>
  useQuery({
    queryKey: [adminRoutes.adminListServices.path],
    queryFn: async ({ signal }) => (await adminApi.adminListServices({ signal })).data,
    refetchInterval: 60_000,
  });
