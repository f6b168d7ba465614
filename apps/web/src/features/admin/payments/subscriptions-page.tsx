import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { type ColumnOf, tables } from '@uprez/contracts/policy/admin/tables';
import { cancelTimes } from '@uprez/contracts/policy/billing/admin-payments';
import { type AdminSubscription, adminCancelBodySchema } from '@uprez/contracts/schemas/billing/admin-payments';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { describeCancellation } from '@uprez/contracts/texts/billing';
import { formatDay, formatMoney } from '@uprez/contracts/texts/format';
import { Ban, CreditCard, ReceiptText, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { searchName } from '../../../ui/controls/search-field.tsx';
import { FormCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { userPath } from '../frame/admin-paths.ts';
import { useHasPermission } from '../frame/use-own-user.ts';
import { adminMessages } from '../messages.ts';
import { DataTable } from '../table/data-table.tsx';
import { type Column, useTable } from '../table/use-table.ts';
import { AccountCell, StatusCell, TimeCell } from './cells.tsx';
import { describeNextEvent } from './describe-payment.ts';
import { paymentMessages } from './messages.ts';
import { noteField } from './note-field.ts';

const { subscriptions: text, ...shared } = paymentMessages;

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
  const table = useTable(tables.subscriptions, { load: adminApi.adminListSubscriptions });
  const navigate = useNavigate();
  const [canceled, setCanceled] = useState<AdminSubscription>();
  return (
    <AdminPage title={text.title} subtitle={text.subtitle}>
      <DataTable
        text={text}
        table={table}
        columns={columns}
        onOpen={(row) => void navigate(toPaymentsPath(row))}
        actions={(row) => <SubscriptionMenu row={row} onCancel={() => setCanceled(row)} />}
      />
      {canceled && <CancelDialog subscription={canceled} onClose={() => setCanceled(undefined)} />}
    </AdminPage>
  );
}

const cancellationText = paymentMessages.cancellation;

/** Offers the end of the period only for an active subscription that isn't already set to cancel. */
function CancelDialog({ subscription, onClose }: { subscription: AdminSubscription; onClose: () => void }) {
  const { id, account, badge, cancelAt, periodEnd } = subscription;
  const mayWait = badge === 'active' && cancelAt === null;
  const times = { now: cancellationText.now, period_end: cancellationText.period_end(formatDay(periodEnd)) };
  const options = cancelTimes.map((value) => ({
    value,
    label: cancellationText.times[value],
    disabled: value === 'period_end' && !mayWait,
  }));
  return (
    <FormCallDialog
      text={(form) => ({
        ...cancellationText,
        title: cancellationText.title(account?.email ?? adminMessages.table.noAccount),
        text: times[form.watch('when')],
      })}
      schema={adminCancelBodySchema}
      initial={{ when: mayWait ? 'period_end' : 'now', note: undefined }}
      fields={[
        { kind: 'segmented', name: 'when', label: cancellationText.when, legendHidden: true, options },
        noteField(cancellationText),
      ]}
      call={(body) => adminApi.adminCancelSubscription({ params: { id }, body })}
      refreshes={[[adminRoutes.adminListSubscriptions.path]]}
      done={cancellationText.done}
      keep={cancellationText.keep}
      onClose={onClose}
    />
  );
}

const subscriptionsText = paymentMessages.subscriptions;

const invalidatedKeys = [[adminRoutes.adminListSubscriptions.path], [adminRoutes.adminListTransactions.path]];

/** For a deleted account, searches by Stripe's customer ID. */
const toPaymentsPath = ({ account, customerId }: Pick<AdminSubscription, 'account' | 'customerId'>): string =>
  account === null
    ? `${adminPages.transactions}?${new URLSearchParams({ [searchName]: customerId })}`
    : `${userPath(account.id)}?tab=payments`;

/** Changes are disabled for deleted accounts, because Stripe has nothing to change. */
function SubscriptionMenu({ row, onCancel }: { row: AdminSubscription; onCancel: () => void }) {
  const navigate = useNavigate();
  const mayManage = useHasPermission('payments.manage');
  const { id, account, unpaid, badge } = row;
  const retry = useResourceMutation({
    call: async () => (await adminApi.adminRetryInvoice({ params: { id } })).data,
    onSuccess: () => showToast({ title: subscriptionsText.retried }),
    errorTitle: subscriptionsText.retryFailed,
    invalidates: invalidatedKeys,
  });
  const resync = useResourceMutation({
    call: async (accountId: string) => (await adminApi.adminResyncAccount({ params: { id: accountId } })).data,
    onSuccess: () => showToast({ title: subscriptionsText.resyncDone }),
    errorTitle: subscriptionsText.resyncFailed,
    invalidates: invalidatedKeys,
  });
  const isOver = badge === 'canceled' || account === null;
  const show = {
    label: subscriptionsText.payments,
    icon: ReceiptText,
    onSelect: () => void navigate(toPaymentsPath(row)),
  };
  const changes = [
    {
      label: subscriptionsText.retry,
      icon: CreditCard,
      disabled: !(account && unpaid) || retry.isPending,
      onSelect: () => retry.mutate(),
    },
    {
      label: subscriptionsText.resync,
      icon: RotateCw,
      disabled: account === null || resync.isPending,
      onSelect: () => account && resync.mutate(account.id),
    },
    { label: subscriptionsText.cancel, icon: Ban, danger: true, disabled: isOver, onSelect: onCancel },
  ];
  return (
    <ActionsMenu
      label={adminMessages.table.actions(account?.email ?? id)}
      items={mayManage ? [show, ...changes] : [show]}
    />
  );
}

/** Returns what the badge doesn't show: an unpaid amount, a pause, or the end date. */
function noteOf(row: AdminSubscription): string | null {
  const { unpaid, currency, endedAt, cancelAt, isPaused } = row;
  if (unpaid && !endedAt) return text.unpaid(formatMoney({ amount: unpaid.amount, currency }));
  return endedAt || cancelAt || isPaused ? describeNextEvent(row) : null;
}

const StateCell = ({ row }: { row: AdminSubscription }) => (
  <StatusCell
    status={row.badge}
    note={[noteOf(row), ...(row.cancellation ? describeCancellation(row.cancellation) : [])].filter(Boolean).join('\n')}
  />
);
