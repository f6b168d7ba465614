import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { auditOutcomes, auditSorts } from '@uprez/contracts/policy/audit';
import { type ColumnOf, tableColumns } from '@uprez/contracts/policy/tables';
import type { Audit } from '@uprez/contracts/schemas/audit';
import { auditGroupNames } from '@uprez/contracts/texts/audit-actions';
import { Copy, Filter } from 'lucide-react';
import { copyText } from '../../../lib/browser/copy-text.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { adminApi } from '../admin-api.ts';
import { adminMessages } from '../messages.ts';
import { TimeCell } from '../payments/cells.tsx';
import type { Column } from '../table/column.ts';
import { DataTable } from '../table/data-table.tsx';
import { useTable } from '../table/use-table.ts';
import { AuditFilters } from './audit-filters.tsx';
import { ActionCell, ActorCell, nameOfActor, SourceCell, SubjectCell } from './cells.tsx';
import { ChangesList } from './changes-list.tsx';
import { auditMessages as text } from './messages.ts';

const columns: Column<Audit, ColumnOf<'audits'>>[] = [
  { id: 'action', name: text.action, cell: (row) => <ActionCell row={row} /> },
  { id: 'actor', name: text.actor, cell: (row) => <ActorCell row={row} /> },
  { id: 'subject', name: text.subject, cell: (row) => <SubjectCell row={row} /> },
  { id: 'changes', name: text.changes, cell: (row) => <ChangesList row={row} /> },
  {
    id: 'reason',
    name: text.reason,
    cell: ({ reason }) => reason ?? <span className="text-muted">{text.noReason}</span>,
  },
  { id: 'source', name: text.source, cell: (row) => <SourceCell row={row} /> },
  { id: 'time', name: text.time, cell: ({ createdAt }) => <TimeCell at={createdAt} />, sort: 'created' },
];

async function copyRequestId(id: string): Promise<void> {
  const isCopied = await copyText(id);
  showToast(isCopied ? { title: text.copied } : { title: text.copyFailed, destructive: true });
}

/** The audit log. `account`: only the rows about a user and what belongs to them, on the user's page. */
export function AuditTable({ account }: { account?: string }) {
  const table = useTable({
    list: adminRoutes.adminListAudits,
    load: adminApi.adminListAudits,
    filters: { group: auditGroupNames, outcome: auditOutcomes },
    values: ['actor', 'subject', 'account', 'from', 'to'],
    ...(account && { fixed: { account } }),
    sorts: auditSorts,
    columns: tableColumns.audits,
    exports: adminRoutes.adminExportAudits,
  });
  const { setValues } = table;
  const menuOf = (row: Audit) => {
    const { actor, requestId } = row;
    const { kind, id, accountId } = row.subject;
    const own = [kind, id].filter(Boolean).join(':');
    const items = [
      actor.id !== null && {
        label: text.onlyActor,
        icon: Filter,
        onSelect: () => setValues({ actor: actor.id ?? undefined }),
      },
      { label: text.onlySubject, icon: Filter, onSelect: () => setValues({ subject: own }) },
      !account &&
        accountId !== null && {
          label: text.onlyAccount,
          icon: Filter,
          onSelect: () => setValues({ account: accountId }),
        },
      requestId !== null && { label: text.copyRequest, icon: Copy, onSelect: () => void copyRequestId(requestId) },
    ].filter((item) => item !== false);
    if (items.length === 0) return null;
    return <ActionsMenu label={adminMessages.table.actions(nameOfActor(row))} items={items} />;
  };
  return (
    <DataTable
      caption={text.caption}
      search={text.search}
      table={table}
      filters={<AuditFilters table={table} />}
      columns={columns}
      empty={text.empty}
      actions={menuOf}
    />
  );
}
