import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { type ColumnOf, tables } from '@uprez/contracts/policy/admin/tables';
import type { AdminStripeEvent } from '@uprez/contracts/schemas/billing/admin-payments';
import { RotateCw } from 'lucide-react';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { useHasPermission } from '../frame/use-own-user.ts';
import { adminMessages } from '../messages.ts';
import { AccountCell, StatusCell, TimeCell } from '../payments/cells.tsx';
import { HealthCard, healthKey } from '../payments/health-card.tsx';
import { paymentMessages } from '../payments/messages.ts';
import { runBulk } from '../table/bulk-bar.tsx';
import { DataTable } from '../table/data-table.tsx';
import { type Column, useTable } from '../table/use-table.ts';

const { inbox: text, ...shared } = paymentMessages;

const columns: Column<AdminStripeEvent, ColumnOf<'stripeEvents'>>[] = [
  {
    id: 'event',
    name: text.event,
    cell: ({ type, id }) => (
      <span className="grid">
        <span className="font-medium">{type}</span>
        <code className="text-muted text-xs">{id}</code>
      </span>
    ),
  },
  {
    id: 'account',
    name: shared.account,
    cell: ({ account, customerId }) => customerId && <AccountCell account={account} id={customerId} />,
  },
  { id: 'about', name: text.about, cell: ({ objectId }) => <code className="text-muted text-xs">{objectId}</code> },
  { id: 'status', name: shared.status, cell: ({ state, error }) => <StatusCell status={state} note={error} /> },
  { id: 'received', name: text.received, cell: ({ receivedAt }) => <TimeCell at={receivedAt} />, sort: 'received' },
];

const invalidatedKeys = [[adminRoutes.adminListStripeEvents.path], healthKey] as const;

export function InboxPage() {
  const mayManage = useHasPermission('payments.manage');
  const table = useTable(tables.stripeEvents, { load: adminApi.adminListStripeEvents });
  const retry = useResourceMutation({
    call: async (id: string) => (await adminApi.adminRetryStripeEvent({ params: { id } })).data,
    onSuccess: () => showToast({ title: text.retried }),
    errorTitle: text.retryFailed,
    invalidates: invalidatedKeys,
  });
  const bulkRetry = {
    label: text.retry,
    icon: RotateCw,
    run: (events: readonly AdminStripeEvent[]) => {
      const call = ({ id }: AdminStripeEvent) => adminApi.adminRetryStripeEvent({ params: { id } });
      return runBulk(events, { call, done: text.bulkRetried, refreshes: invalidatedKeys });
    },
  };
  return (
    <AdminPage title={text.title} subtitle={text.subtitle}>
      <HealthCard />
      <DataTable
        text={text}
        table={table}
        columns={columns}
        bulk={mayManage ? [bulkRetry] : undefined}
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
