import { overrideStates } from '@uprez/contracts/policy/status';
import { type AdminService, type NewOverride, setOverrideBodySchema } from '@uprez/contracts/schemas/status';
import { probeStateNames, serviceStateNames } from '@uprez/contracts/texts/status';
import { Pencil, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { inputTime, parseInputTime } from '../../../lib/format/input-time.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { ServiceBadge } from '../../../ui/status/state-badges.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { useMay } from '../frame/use-may.ts';
import { adminMessages } from '../messages.ts';
import { TimeCell } from '../payments/cells.tsx';
import { browserTimeZone } from '../schedule/local-time.ts';
import { scheduleMessages as scheduleText } from '../schedule/messages.ts';
import { type PlainColumn, PlainTable } from '../users/plain-table.tsx';
import { IncidentDialog } from './incident-dialogs.tsx';
import { IncidentTable } from './incident-table.tsx';
import { MaintenanceDialog } from './maintenance-dialog.tsx';
import { statusMessages } from './messages.ts';
import { statusKeys, useServices } from './queries.ts';
import { SubscribersLink } from './subscribers-link.tsx';

const servicesText = statusMessages.services;

const columns: PlainColumn<AdminService>[] = [
  { name: servicesText.service, cell: ({ name }) => <span className="font-medium">{name}</span> },
  { name: servicesText.state, cell: ({ state }) => <ServiceBadge state={state} /> },
  {
    name: servicesText.probe,
    cell: ({ probe }) =>
      probe ? (
        <span className="grid gap-0.5">
          <span>
            {probeStateNames[probe.state]} <TimeCell at={probe.at} />
          </span>
          {probe.detail && <span className="text-muted text-xs">{probe.detail}</span>}
        </span>
      ) : (
        <span className="text-muted">{servicesText.noProbe}</span>
      ),
  },
  {
    name: servicesText.override,
    cell: ({ override }) =>
      override
        ? `${serviceStateNames[override.state]} ${servicesText.until(formatTime(override.until))}`
        : servicesText.none,
  },
];

/** The services with their latest probe, and actions that override their state. */
function ServicesCard() {
  const query = useServices();
  const mayManage = useMay('incidents.manage');
  const [overridden, setOverridden] = useState<AdminService>();
  const remove = useResourceMutation({
    call: async (service: string) => (await adminApi.adminRemoveOverride({ params: { service } })).data,
    invalidates: statusKeys,
    errorTitle: servicesText.failed,
    onSuccess: () => showToast({ title: servicesText.removed }),
  });
  const actionsColumn: PlainColumn<AdminService> = {
    name: servicesText.actions,
    cell: (service) => (
      <ActionsMenu
        label={adminMessages.table.actions(service.name)}
        items={[
          { label: servicesText.set, icon: Pencil, onSelect: () => setOverridden(service) },
          ...(service.override
            ? [{ label: servicesText.remove, icon: RotateCcw, onSelect: () => remove.mutate(service.service) }]
            : []),
        ]}
      />
    ),
  };
  return (
    <Card title={servicesText.title}>
      <QueryView query={query} skeleton={<Skeleton className="h-64" />}>
        {(services) => (
          <PlainTable
            caption={servicesText.caption}
            columns={mayManage ? [...columns, actionsColumn] : columns}
            rows={services}
            rowKey={({ service }) => service}
          />
        )}
      </QueryView>
      {overridden && <OverrideDialog service={overridden} onClose={() => setOverridden(undefined)} />}
    </Card>
  );
}

const { overrideDialog: dialog } = statusMessages;
const states = overrideStates.map((value) => ({ value, label: serviceStateNames[value] }));

const bodyOf = ({ state, until }: NewOverride): NewOverride => ({ state, until: parseInputTime(until) });
const schema = z
  .custom<NewOverride>(() => true)
  .transform(bodyOf)
  .pipe(setOverrideBodySchema);

/** Asks in which state a service is shown, and until when. */
function OverrideDialog({ service: { service, name }, onClose }: { service: AdminService; onClose: () => void }) {
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

const text = statusMessages.incidents;
/** Both actions fit beside the title on phones. */
const compact = 'max-sm:px-2 max-sm:text-xs';

/** The services and the incidents of the status page. */
export function IncidentsPage() {
  const mayManage = useMay('incidents.manage');
  const [dialog, setDialog] = useState<'incident' | 'maintenance'>();
  const close = () => setDialog(undefined);
  const actions = (
    <div className="flex flex-wrap gap-2">
      <Button look="secondary" className={compact} onClick={() => setDialog('maintenance')}>
        {text.schedule}
      </Button>
      <Button className={compact} onClick={() => setDialog('incident')}>
        {text.create}
      </Button>
    </div>
  );
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={mayManage && actions}>
      <SubscribersLink />
      <ServicesCard />
      <IncidentTable />
      {dialog === 'incident' && <IncidentDialog onClose={close} />}
      {dialog === 'maintenance' && <MaintenanceDialog onClose={close} />}
    </AdminPage>
  );
}
