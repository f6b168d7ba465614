import { type ColumnOf, tables } from '@uprez/contracts/policy/admin/tables';
import { ticketFilters } from '@uprez/contracts/policy/admin/tickets';
import type { TicketRow } from '@uprez/contracts/schemas/tickets';
import { useNavigate } from 'react-router';
import { useSite } from '../../../lib/api/queries.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { ticketPath } from '../frame/admin-paths.ts';
import { TimeCell } from '../payments/cells.tsx';
import { DataTable } from '../table/data-table.tsx';
import { type Column, useTable } from '../table/use-table.ts';
import { AssigneeCell, DueCell, SenderCell, SubjectCell, TicketBadge } from './cells.tsx';
import { inboxMessages as text } from './messages.ts';

const columns: Column<TicketRow, ColumnOf<'tickets'>>[] = [
  { id: 'ticket', name: text.ticket, cell: SubjectCell },
  { id: 'sender', name: text.sender, cell: SenderCell },
  { id: 'state', name: text.stateColumn, cell: TicketBadge },
  { id: 'assignee', name: text.assignee, cell: AssigneeCell },
  { id: 'due', name: text.due, cell: DueCell, sort: 'due' },
  { id: 'created', name: text.created, cell: ({ createdAt }) => <TimeCell at={createdAt} />, sort: 'created' },
];

/** Omits `active`, because the list shows active tickets when no filter is set. */
const states = ticketFilters.filter((filter) => filter !== 'active');

export function TicketsPage() {
  const navigate = useNavigate();
  const { data: site } = useSite();
  const table = useTable(
    { ...tables.tickets, filters: { ...tables.tickets.filters, state: states } },
    {
      load: adminApi.adminListTickets,
    },
  );
  return (
    <AdminPage title={text.title} subtitle={text.subtitle}>
      {site && <Notice kind="info">{text.noMailbox(site.supportEmail)}</Notice>}
      <DataTable
        text={text}
        filterTexts={text.filters}
        table={table}
        columns={columns}
        onOpen={({ id }) => navigate(ticketPath(id))}
      />
    </AdminPage>
  );
}
