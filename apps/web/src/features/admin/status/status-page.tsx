import { type ColumnOf, tables } from '@uprez/contracts/policy/admin/tables';
import { endedStates } from '@uprez/contracts/policy/status';
import type { AdminIncident, AdminService } from '@uprez/contracts/schemas/status';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { incidentPath } from '@uprez/contracts/texts/site/pages';
import { probeStateNames, serviceNames, serviceStateNames, severityNames } from '@uprez/contracts/texts/status';
import { CircleX, ExternalLink, MessageSquarePlus, Pencil, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { formatDateTime } from '../../../lib/format/format.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button, linkStyle } from '../../../ui/controls/button.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { IncidentBadge, ServiceBadge, SeverityBadge } from '../../../ui/status/state-badges.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { useHasPermission } from '../frame/use-own-user.ts';
import { adminMessages } from '../messages.ts';
import { useSubscriberCount } from '../newsletter/queries.ts';
import { TimeCell } from '../payments/cells.tsx';
import { DataTable } from '../table/data-table.tsx';
import { type Column, useTable } from '../table/use-table.ts';
import { type PlainColumn, PlainTable } from '../users/plain-table.tsx';
import { statusMessages } from './messages.ts';
import {
  CancelMaintenanceDialog,
  IncidentDialog,
  MaintenanceDialog,
  OverrideDialog,
  statusKeys,
  UpdateDialog,
  useServices,
} from './status-dialogs.tsx';

const text = statusMessages.incidents;

/** Makes both actions fit beside the title on phones. */
const compactStyle = 'max-sm:px-2 max-sm:text-xs';

export function IncidentsPage() {
  const mayManage = useHasPermission('incidents.manage');
  const [dialog, setDialog] = useState<'incident' | 'maintenance'>();
  const close = () => setDialog(undefined);
  const actions = (
    <div className="flex flex-wrap gap-2">
      <Button look="secondary" className={compactStyle} onClick={() => setDialog('maintenance')}>
        {text.schedule}
      </Button>
      <Button className={compactStyle} onClick={() => setDialog('incident')}>
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

const { incidents: incidentText, columns: names } = statusMessages;

const incidentColumns: Column<AdminIncident, ColumnOf<'incidents'>>[] = [
  {
    id: 'incident',
    name: names.incident,
    cell: ({ id, title, automatic }) => (
      <span className="grid">
        <Link to={incidentPath(id)} className="font-medium underline-offset-4 hover:underline">
          {title}
        </Link>
        {automatic && <span className="text-muted text-xs">{incidentText.automatic}</span>}
      </span>
    ),
  },
  { id: 'status', name: names.status, cell: ({ state }) => <IncidentBadge state={state} /> },
  { id: 'severity', name: names.severity, cell: ({ severity }) => <SeverityBadge severity={severity} /> },
  {
    id: 'services',
    name: names.services,
    cell: ({ services }) => (
      <span className="text-muted text-xs">{services.map((service) => serviceNames[service]).join(', ')}</span>
    ),
  },
  { id: 'started', name: names.started, cell: ({ startsAt }) => <TimeCell at={startsAt} />, sort: 'started' },
  { id: 'ended', name: names.ended, cell: ({ endsAt }) => endsAt && <TimeCell at={endsAt} /> },
];

const filterTexts = {
  status: { ...adminMessages.table.filters.status, names: incidentText.filters },
  severity: { label: names.severity, all: incidentText.allSeverities, names: severityNames },
};

function IncidentTable() {
  const mayManage = useHasPermission('incidents.manage');
  const navigate = useNavigate();
  const [updated, setUpdated] = useState<AdminIncident>();
  const [canceled, setCanceled] = useState<AdminIncident>();
  const table = useTable(tables.incidents, { load: adminApi.adminListIncidents });
  const menuOf = (incident: AdminIncident) => {
    const { id, title, severity, state } = incident;
    const isOver = severity === 'maintenance' && endedStates.includes(state);
    const add = { label: incidentText.addUpdate, icon: MessageSquarePlus, onSelect: () => setUpdated(incident) };
    const view = { label: incidentText.view, icon: ExternalLink, onSelect: () => void navigate(incidentPath(id)) };
    const cancel = {
      label: statusMessages.cancelDialog.action,
      icon: CircleX,
      danger: true,
      onSelect: () => setCanceled(incident),
    };
    const changes = isOver ? [] : [add, ...(state === 'scheduled' ? [cancel] : [])];
    return <ActionsMenu label={adminMessages.table.actions(title)} items={[...(mayManage ? changes : []), view]} />;
  };
  return (
    <>
      <DataTable
        text={incidentText}
        table={table}
        columns={incidentColumns}
        filterTexts={filterTexts}
        actions={menuOf}
      />
      {canceled && <CancelMaintenanceDialog incident={canceled} onClose={() => setCanceled(undefined)} />}
      {updated && <UpdateDialog incident={updated} onClose={() => setUpdated(undefined)} />}
    </>
  );
}

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
        ? `${serviceStateNames[override.state]} ${servicesText.until(formatDateTime(override.until))}`
        : servicesText.none,
  },
];

function ServicesCard() {
  const query = useServices();
  const mayManage = useHasPermission('incidents.manage');
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

/** Hidden from roles that can't read the list. */
function SubscribersLink() {
  const mayRead = useHasPermission('content.read');
  const { data: count } = useSubscriberCount('status', mayRead);
  if (!mayRead || count === undefined) return null;
  return (
    <Link
      to={`${adminPages.subscribers}?${new URLSearchParams({ state: 'confirmed', topic: 'status' })}`}
      className={`${linkStyle} justify-self-start px-0!`}
    >
      {statusMessages.incidents.subscribers(count)}
    </Link>
  );
}
