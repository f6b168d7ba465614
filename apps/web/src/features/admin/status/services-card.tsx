import type { AdminService } from '@uprez/contracts/schemas/status';
import { probeStateNames, serviceStateNames } from '@uprez/contracts/texts/status';
import { Pencil, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { ServiceBadge } from '../../../ui/status/state-badges.tsx';
import { adminApi } from '../admin-api.ts';
import { useMay } from '../frame/use-may.ts';
import { adminMessages } from '../messages.ts';
import { TimeCell } from '../payments/cells.tsx';
import { type PlainColumn, PlainTable } from '../users/plain-table.tsx';
import { statusMessages } from './messages.ts';
import { OverrideDialog } from './override-dialog.tsx';
import { statusKeys, useServices } from './queries.ts';

const text = statusMessages.services;

const columns: PlainColumn<AdminService>[] = [
  { name: text.service, cell: ({ name }) => <span className="font-medium">{name}</span> },
  { name: text.state, cell: ({ state }) => <ServiceBadge state={state} /> },
  {
    name: text.probe,
    cell: ({ probe }) =>
      probe ? (
        <span className="grid gap-0.5">
          <span>
            {probeStateNames[probe.state]} <TimeCell at={probe.at} />
          </span>
          {probe.detail && <span className="text-muted text-xs">{probe.detail}</span>}
        </span>
      ) : (
        <span className="text-muted">{text.noProbe}</span>
      ),
  },
  {
    name: text.override,
    cell: ({ override }) =>
      override ? `${serviceStateNames[override.state]} ${text.until(formatTime(override.until))}` : text.none,
  },
];

/** The services with their latest probe, and actions that override their state. */
export function ServicesCard() {
  const query = useServices();
  const mayManage = useMay('incidents.manage');
  const [overridden, setOverridden] = useState<AdminService>();
  const remove = useResourceMutation({
    call: async (service: string) => (await adminApi.adminRemoveOverride({ params: { service } })).data,
    invalidates: statusKeys,
    errorTitle: text.failed,
    onSuccess: () => showToast({ title: text.removed }),
  });
  const actionsColumn: PlainColumn<AdminService> = {
    name: text.actions,
    cell: (service) => (
      <ActionsMenu
        label={adminMessages.table.actions(service.name)}
        items={[
          { label: text.set, icon: Pencil, onSelect: () => setOverridden(service) },
          ...(service.override
            ? [{ label: text.remove, icon: RotateCcw, onSelect: () => remove.mutate(service.service) }]
            : []),
        ]}
      />
    ),
  };
  return (
    <Card title={text.title}>
      <QueryView query={query} skeleton={<Skeleton className="h-64" />}>
        {(services) => (
          <PlainTable
            caption={text.caption}
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
