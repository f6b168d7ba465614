import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { transactionBadges, transactionSorts } from '@uprez/contracts/policy/admin-payments';
import { type ColumnOf, tableColumns } from '@uprez/contracts/policy/tables';
import type { AdminTransaction } from '@uprez/contracts/schemas/billing/admin-payments';
import { formatMoney } from '@uprez/contracts/texts/format';
import { formatCard, formatMethod } from '@uprez/contracts/texts/payment-methods';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { adminApi } from '../../features/admin/admin-api.ts';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { useMay } from '../../features/admin/frame/use-may.ts';
import { useOwnUser } from '../../features/admin/frame/use-own-user.ts';
import { adminMessages } from '../../features/admin/messages.ts';
import { AccountCell, StatusCell, TimeCell } from '../../features/admin/payments/cells.tsx';
import { noteOfTransaction } from '../../features/admin/payments/describe-transaction.ts';
import { describeUnits } from '../../features/admin/payments/describe-units.ts';
import { paymentMessages } from '../../features/admin/payments/messages.ts';
import { RefundDialog } from '../../features/admin/payments/refund-dialog.tsx';
import { ChosenFilters } from '../../features/admin/table/chosen-filters.tsx';
import type { Column } from '../../features/admin/table/column.ts';
import { DataTable } from '../../features/admin/table/data-table.tsx';
import { useTable } from '../../features/admin/table/use-table.ts';
import { ActionsMenu } from '../../ui/overlays/menu.tsx';

const { transactions: text, ...shared } = paymentMessages;

const AmountCell = ({ amount, tax, currency }: AdminTransaction) => (
  <span className="grid">
    {formatMoney({ amount, currency })}
    {tax > 0 && <span className="text-muted text-xs">{text.tax(formatMoney({ amount: tax, currency }))}</span>}
  </span>
);

/** What was bought, the invoice, and the credits that its payment added. */
const InvoiceCell = ({ description, invoice, units }: AdminTransaction) => (
  <span className="grid text-muted text-xs">
    {description && <span className="text-ink text-sm">{description}</span>}
    {invoice?.number ?? invoice?.id}
    {describeUnits(units).map((line) => (
      <span key={line}>{line}</span>
    ))}
  </span>
);

const methodOf = ({ method, card }: AdminTransaction): string | null =>
  card ? formatCard(card) : method && formatMethod(method);

const columns: Column<AdminTransaction, ColumnOf<'transactions'>>[] = [
  {
    id: 'account',
    name: shared.account,
    cell: ({ account, customerId }) => <AccountCell account={account} id={customerId} />,
  },
  { id: 'status', name: shared.status, cell: (row) => <StatusCell status={row.badge} note={noteOfTransaction(row)} /> },
  { id: 'amount', name: shared.amount, cell: (row) => <AmountCell {...row} />, sort: 'amount', isNumeric: true },
  {
    id: 'invoice',
    name: text.invoice,
    cell: (row) => <InvoiceCell {...row} />,
  },
  { id: 'method', name: text.method, cell: (row) => <span className="text-muted text-xs">{methodOf(row)}</span> },
  { id: 'created', name: shared.created, cell: ({ createdAt }) => <TimeCell at={createdAt} />, sort: 'created' },
];

/** Why a payment can't be refunded; undefined if it can. `ownId`: the account of the administrator. */
function findRefundBlock({ account, refundable }: Pick<AdminTransaction, 'account' | 'refundable'>, ownId?: string) {
  if (refundable === 0) return text.fullyRefunded;
  return account !== null && account.id === ownId ? text.ownPayment : undefined;
}

export function TransactionsPage() {
  const mayManage = useMay('payments.manage');
  const table = useTable({
    list: adminRoutes.adminListTransactions,
    load: adminApi.adminListTransactions,
    filters: { status: transactionBadges },
    values: ['from', 'to'],
    sorts: transactionSorts,
    columns: tableColumns.transactions,
    exports: adminRoutes.adminExportTransactions,
  });
  const [asked, setAsked] = useState<string>();
  // As it is listed now, because it may have been refunded elsewhere.
  const payment = table.query.data?.pages.flatMap(({ rows }) => rows).find(({ id }) => id === asked);
  const ownId = useOwnUser()?.id;
  const menuOf = ({ id, account, refundable }: AdminTransaction) => {
    const block = findRefundBlock({ account, refundable }, ownId);
    const label = block ?? text.refund;
    const refund = { label, icon: Undo2, disabled: block !== undefined, onSelect: () => setAsked(id) };
    return <ActionsMenu label={adminMessages.table.actions(account?.email ?? id)} items={[refund]} />;
  };
  return (
    <AdminPage title={text.title} subtitle={text.subtitle}>
      <DataTable
        caption={text.caption}
        table={table}
        filters={<ChosenFilters table={table} days={text.days} />}
        columns={columns}
        empty={text.empty}
        actions={mayManage ? menuOf : undefined}
      />
      {payment && <RefundDialog payment={payment} onClose={() => setAsked(undefined)} />}
    </AdminPage>
  );
}
