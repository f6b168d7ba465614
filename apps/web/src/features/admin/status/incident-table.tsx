import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { endedStates, incidentFilters, incidentSorts, severities } from '@uprez/contracts/policy/status';
import { type ColumnOf, tableColumns } from '@uprez/contracts/policy/tables';
import type { AdminIncident } from '@uprez/contracts/schemas/status';
import { incidentPath } from '@uprez/contracts/texts/pages';
import { serviceNames, severityNames } from '@uprez/contracts/texts/status';
import { CircleX, ExternalLink, MessageSquarePlus } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { IncidentBadge, SeverityBadge } from '../../../ui/status/state-badges.tsx';
import { adminApi } from '../admin-api.ts';
import { useMay } from '../frame/use-may.ts';
import { adminMessages } from '../messages.ts';
import { TimeCell } from '../payments/cells.tsx';
import type { Column } from '../table/column.ts';
import { DataTable } from '../table/data-table.tsx';
import { useTable } from '../table/use-table.ts';
import { UpdateDialog } from './incident-dialogs.tsx';
import { statusMessages } from './messages.ts';
import { statusKeys } from './queries.ts';

const cancelDialogText = statusMessages.cancelDialog;

/** Asks whether scheduled maintenance is canceled. */
function CancelMaintenanceDialog({ incident, onClose }: { incident: AdminIncident; onClose: () => void }) {
  const params = { id: incident.id };
  const cancel = useResourceMutation({
    call: async () => {
      await adminApi.adminAddIncidentUpdate({ params, body: { state: 'canceled', text: cancelDialogText.update } });
    },
    invalidates: statusKeys,
    errorTitle: cancelDialogText.failed,
    onSuccess: () => {
      showToast({ title: cancelDialogText.done });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={cancelDialogText.title(incident.title)}
      text={cancelDialogText.text}
      confirm={cancelDialogText.confirm}
      keep={cancelDialogText.keep}
      pending={cancel.isPending}
      onConfirm={() => cancel.mutate()}
    />
  );
}

const { incidents: text, columns: names } = statusMessages;

const columns: Column<AdminIncident, ColumnOf<'incidents'>>[] = [
  {
    id: 'incident',
    name: names.incident,
    cell: ({ id, title, automatic }) => (
      <span className="grid">
        <Link to={incidentPath(id)} className="font-medium underline-offset-4 hover:underline">
          {title}
        </Link>
        {automatic && <span className="text-muted text-xs">{text.automatic}</span>}
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
  status: { ...adminMessages.table.filters.status, names: text.filters },
  severity: { label: names.severity, all: text.allSeverities, names: severityNames },
};

/** Incidents and maintenance, with an action that writes an update. */
export function IncidentTable() {
  const mayManage = useMay('incidents.manage');
  const navigate = useNavigate();
  const [updated, setUpdated] = useState<AdminIncident>();
  const [canceled, setCanceled] = useState<AdminIncident>();
  const table = useTable({
    list: adminRoutes.adminListIncidents,
    load: adminApi.adminListIncidents,
    filters: { status: incidentFilters, severity: severities },
    sorts: incidentSorts,
    columns: tableColumns.incidents,
  });
  const menuOf = (incident: AdminIncident) => {
    const { id, title, severity, state } = incident;
    const isOver = severity === 'maintenance' && endedStates.includes(state);
    const add = { label: text.addUpdate, icon: MessageSquarePlus, onSelect: () => setUpdated(incident) };
    const view = { label: text.view, icon: ExternalLink, onSelect: () => void navigate(incidentPath(id)) };
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
        caption={text.caption}
        search={text.search}
        table={table}
        columns={columns}
        filterTexts={filterTexts}
        empty={text.empty}
        actions={menuOf}
      />
      {canceled && <CancelMaintenanceDialog incident={canceled} onClose={() => setCanceled(undefined)} />}
      {updated && <UpdateDialog incident={updated} onClose={() => setUpdated(undefined)} />}
    </>
  );
}
