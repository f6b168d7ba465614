import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { leadSorts, leadStates } from '@uprez/contracts/policy/leads';
import { type ColumnOf, tableColumns } from '@uprez/contracts/policy/tables';
import type { AdminLead } from '@uprez/contracts/schemas/billing/admin-leads';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { adminApi } from '../../features/admin/admin-api.ts';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { useMay } from '../../features/admin/frame/use-may.ts';
import { LinkDialog } from '../../features/admin/leads/link-dialog.tsx';
import { leadMessages as text } from '../../features/admin/leads/messages.ts';
import { adminMessages } from '../../features/admin/messages.ts';
import { StatusCell, TimeCell } from '../../features/admin/payments/cells.tsx';
import type { Column } from '../../features/admin/table/column.ts';
import { DataTable } from '../../features/admin/table/data-table.tsx';
import { useTable } from '../../features/admin/table/use-table.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ActionsMenu } from '../../ui/overlays/menu.tsx';

const columns: Column<AdminLead, ColumnOf<'leads'>>[] = [
  {
    id: 'lead',
    name: text.lead,
    cell: ({ name, email, company }) => (
      <span className="grid">
        <span className="font-medium">{name || email}</span>
        <span className="text-muted text-xs">{[name && email, company].filter(Boolean).join(', ')}</span>
      </span>
    ),
  },
  { id: 'volume', name: text.volume, cell: ({ volume }) => <span className="text-muted text-xs">{volume}</span> },
  {
    id: 'status',
    name: text.status,
    cell: ({ state, link }) => <StatusCell status={state} note={link && text.sent(link.interval, link.sentAt)} />,
  },
  { id: 'created', name: text.created, cell: ({ createdAt }) => <TimeCell at={createdAt} />, sort: 'created' },
];

/** `lead`: null for an email address that is typed. */
type Recipient = { lead: AdminLead | null };

export function LeadsPage() {
  const mayManage = useMay('payments.manage');
  const table = useTable({
    list: adminRoutes.adminListLeads,
    load: adminApi.adminListLeads,
    filters: { status: leadStates },
    sorts: leadSorts,
    columns: tableColumns.leads,
    exports: adminRoutes.adminExportLeads,
  });
  const [recipient, setRecipient] = useState<Recipient>();
  const inviteButton = <Button onClick={() => setRecipient({ lead: null })}>{text.invite}</Button>;
  const menuOf = (lead: AdminLead) => {
    const label = lead.link ? text.sendAgain : text.send;
    const send = { label, icon: Mail, onSelect: () => setRecipient({ lead }) };
    return <ActionsMenu label={adminMessages.table.actions(lead.email)} items={[send]} />;
  };
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={mayManage && inviteButton}>
      <DataTable
        caption={text.caption}
        search={text.search}
        table={table}
        columns={columns}
        empty={text.empty}
        actions={mayManage ? menuOf : undefined}
      />
      {recipient && <LinkDialog lead={recipient.lead ?? undefined} onClose={() => setRecipient(undefined)} />}
    </AdminPage>
  );
}
