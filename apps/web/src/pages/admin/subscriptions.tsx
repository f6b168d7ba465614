import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { subscriptionSorts } from '@uprez/contracts/policy/admin-payments';
import { subscriptionStates } from '@uprez/contracts/policy/billing';
import { tiers } from '@uprez/contracts/policy/plans';
import { type ColumnOf, tableColumns } from '@uprez/contracts/policy/tables';
import type { AdminSubscription } from '@uprez/contracts/schemas/billing/admin-payments';
import { describeCancellation } from '@uprez/contracts/texts/cancellations';
import { formatMoney } from '@uprez/contracts/texts/format';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { adminApi } from '../../features/admin/admin-api.ts';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { CancelDialog } from '../../features/admin/payments/cancel-dialog.tsx';
import { AccountCell, StatusCell, TimeCell } from '../../features/admin/payments/cells.tsx';
import { describeNext } from '../../features/admin/payments/describe-subscription.ts';
import { paymentMessages } from '../../features/admin/payments/messages.ts';
import { paymentsOf, SubscriptionMenu } from '../../features/admin/payments/subscription-menu.tsx';
import type { Column } from '../../features/admin/table/column.ts';
import { DataTable } from '../../features/admin/table/data-table.tsx';
import { useTable } from '../../features/admin/table/use-table.ts';

const { subscriptions: text, ...shared } = paymentMessages;

/** What a badge doesn't say. */
function noteOf(row: AdminSubscription): string | null {
  const { unpaid, currency, endedAt, cancelAt, isPaused } = row;
  if (unpaid && !endedAt) return text.unpaid(formatMoney({ amount: unpaid.amount, currency }));
  return endedAt || cancelAt || isPaused ? describeNext(row) : null;
}

/** Why the customer canceled, below the state. */
const StateCell = ({ row }: { row: AdminSubscription }) => (
  <StatusCell
    status={row.badge}
    note={[noteOf(row), ...(row.cancellation ? describeCancellation(row.cancellation) : [])].filter(Boolean).join('\n')}
  />
);

const columns: Column<AdminSubscription, ColumnOf<'subscriptions'>>[] = [
  {
    id: 'account',
    name: shared.account,
    cell: ({ account, customerId }) => <AccountCell account={account} id={customerId} />,
  },
  { id: 'plan', name: text.plan, cell: ({ tier, interval }) => text.planName(tier, interval) },
  { id: 'status', name: shared.status, cell: (row) => <StateCell row={row} /> },
  { id: 'amount', name: shared.amount, cell: (row) => formatMoney(row), sort: 'amount', isNumeric: true },
  { id: 'renewal', name: text.renewal, cell: ({ periodEnd }) => <TimeCell at={periodEnd} />, sort: 'renewal' },
  { id: 'created', name: shared.created, cell: ({ createdAt }) => <TimeCell at={createdAt} />, sort: 'created' },
];

export function SubscriptionsPage() {
  const table = useTable({
    list: adminRoutes.adminListSubscriptions,
    load: adminApi.adminListSubscriptions,
    filters: { status: subscriptionStates, tier: tiers },
    sorts: subscriptionSorts,
    columns: tableColumns.subscriptions,
    exports: adminRoutes.adminExportSubscriptions,
  });
  const navigate = useNavigate();
  const [canceled, setCanceled] = useState<AdminSubscription>();
  return (
    <AdminPage title={text.title} subtitle={text.subtitle}>
      <DataTable
        caption={text.caption}
        table={table}
        columns={columns}
        empty={text.empty}
        onOpen={(row) => void navigate(paymentsOf(row))}
        actions={(row) => <SubscriptionMenu row={row} onCancel={() => setCanceled(row)} />}
      />
      {canceled && <CancelDialog subscription={canceled} onClose={() => setCanceled(undefined)} />}
    </AdminPage>
  );
}
