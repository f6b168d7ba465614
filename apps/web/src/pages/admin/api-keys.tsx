import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { apiKeySorts, apiKeyStatuses, type ColumnOf, tableColumns } from '@uprez/contracts/policy/tables';
import { anyKeyKinds } from '@uprez/contracts/schemas/api-keys';
import type { AdminApiKey } from '@uprez/contracts/schemas/security/admin-api-keys';
import { formatCount } from '@uprez/contracts/texts/format';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { adminApi } from '../../features/admin/admin-api.ts';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { adminMessages } from '../../features/admin/messages.ts';
import { TimeCell } from '../../features/admin/payments/cells.tsx';
import { KeyNameCell, KeyStatusCell, OwnerCell } from '../../features/admin/security/key-cells.tsx';
import { keyMessages as text } from '../../features/admin/security/key-messages.ts';
import { SecurityTabs } from '../../features/admin/security/security-tabs.tsx';
import { CreateServiceKey } from '../../features/admin/security/service-key-dialog.tsx';
import { useDeleteKey } from '../../features/admin/security/use-admin-keys.ts';
import type { Column } from '../../features/admin/table/column.ts';
import { DataTable } from '../../features/admin/table/data-table.tsx';
import { useTable } from '../../features/admin/table/use-table.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { ActionsMenu } from '../../ui/overlays/menu.tsx';

const columns: Column<AdminApiKey, ColumnOf<'apiKeys'>>[] = [
  { id: 'name', name: text.name, cell: (row) => <KeyNameCell row={row} /> },
  { id: 'owner', name: text.owner, cell: (row) => <OwnerCell row={row} /> },
  { id: 'preview', name: text.preview, cell: ({ keyPreview }) => <code className="text-xs">{keyPreview}</code> },
  { id: 'status', name: text.status, cell: (row) => <KeyStatusCell row={row} /> },
  { id: 'usage', name: text.usage, cell: ({ usageCount }) => formatCount(usageCount), sort: 'usage', isNumeric: true },
  {
    id: 'used',
    name: text.used,
    cell: ({ lastUsed }) => (lastUsed ? <TimeCell at={lastUsed} /> : text.never),
    sort: 'used',
  },
  { id: 'created', name: text.created, cell: ({ createdAt }) => <TimeCell at={createdAt} />, sort: 'created' },
];

/** The API keys of all accounts, and service keys. */
export function ApiKeysPage() {
  const table = useTable({
    list: adminRoutes.adminListApiKeys,
    load: adminApi.adminListApiKeys,
    filters: { status: apiKeyStatuses, kind: anyKeyKinds },
    sorts: apiKeySorts,
    columns: tableColumns.apiKeys,
    exports: adminRoutes.adminExportApiKeys,
  });
  const [asked, setAsked] = useState<AdminApiKey>();
  const close = () => setAsked(undefined);
  const remove = useDeleteKey(close);
  const actionsOf = (key: AdminApiKey) => (
    <ActionsMenu
      label={adminMessages.table.actions(key.name)}
      items={[{ label: text.remove.action, icon: Trash2, danger: true, onSelect: () => setAsked(key) }]}
    />
  );
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={<CreateServiceKey />}>
      <SecurityTabs />
      <DataTable
        caption={text.caption}
        search={text.search}
        filterTexts={text.filters}
        table={table}
        columns={columns}
        empty={text.empty}
        actions={actionsOf}
      />
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={close}
          title={text.remove.title(asked.name)}
          text={text.remove.text(asked.keyPreview)}
          confirm={text.remove.confirm}
          typed={asked.name}
          pending={remove.isPending}
          onConfirm={() => remove.mutate(asked)}
        />
      )}
    </AdminPage>
  );
}
