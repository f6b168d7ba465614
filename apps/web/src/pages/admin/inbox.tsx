import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { stripeEventSorts, stripeEventStates } from '@uprez/contracts/policy/admin-payments';
import type { AdminStripeEvent } from '@uprez/contracts/schemas/billing/admin-payments';
import { RotateCw } from 'lucide-react';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { useMay } from '../../features/admin/frame/use-may.ts';
import { adminMessages } from '../../features/admin/messages.ts';
import { AccountCell, StatusCell, TimeCell } from '../../features/admin/payments/cells.tsx';
import { HealthCard, healthKey } from '../../features/admin/payments/health-card.tsx';
import { paymentMessages } from '../../features/admin/payments/messages.ts';
import { type Column, DataTable } from '../../features/admin/table/data-table.tsx';
import { useTable } from '../../features/admin/table/use-table.ts';
import { api } from '../../lib/api/api.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { ActionsMenu } from '../../ui/overlays/menu.tsx';

const { inbox: text, ...shared } = paymentMessages;

const columns: Column<AdminStripeEvent>[] = [
  {
    name: text.event,
    cell: ({ type, id }) => (
      <span className="grid">
        <span className="font-medium">{type}</span>
        <code className="text-muted text-xs">{id}</code>
      </span>
    ),
  },
  {
    name: shared.account,
    cell: ({ account, customerId }) => customerId && <AccountCell account={account} id={customerId} />,
  },
  { name: text.about, cell: ({ objectId }) => <code className="text-muted text-xs">{objectId}</code> },
  { name: shared.status, cell: ({ state, error }) => <StatusCell status={state} note={error} /> },
  { name: text.received, cell: ({ receivedAt }) => <TimeCell at={receivedAt} />, sort: 'received' },
];

export function InboxPage() {
  const mayManage = useMay('payments.manage');
  const table = useTable({
    list: 'adminListStripeEvents',
    load: api.adminListStripeEvents,
    statuses: stripeEventStates,
    sorts: stripeEventSorts,
  });
  const retry = useResourceMutation({
    call: async (id: string) => (await api.adminRetryStripeEvent({ params: { id } })).data,
    onSuccess: () => showToast({ title: text.retried }),
    errorTitle: text.retryFailed,
    invalidates: [[apiRoutes.adminListStripeEvents.path], healthKey],
  });
  return (
    <AdminPage title={text.title} subtitle={text.subtitle}>
      <HealthCard />
      <DataTable
        caption={text.caption}
        table={table}
        columns={columns}
        empty={text.empty}
        actions={
          mayManage
            ? ({ id, type }) => (
                <ActionsMenu
                  label={adminMessages.table.actions(type)}
                  items={[{ label: text.retry, icon: RotateCw, onSelect: () => retry.mutate(id) }]}
                />
              )
            : undefined
        }
      />
    </AdminPage>
  );
}
