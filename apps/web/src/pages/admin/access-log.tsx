import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { accessFilters, accessSorts, statusClasses } from '@uprez/contracts/policy/access-log';
import { type ColumnOf, tableColumns } from '@uprez/contracts/policy/tables';
import type { AccessEventView } from '@uprez/contracts/schemas/access-log';
import { useNavigate } from 'react-router';
import { AccessFilters } from '../../features/admin/access-log/access-filters.tsx';
import { AnomaliesCard } from '../../features/admin/access-log/anomalies-card.tsx';
import {
  AccountCell,
  AddressCell,
  EventCell,
  RequestCell,
  StatusCodeCell,
} from '../../features/admin/access-log/cells.tsx';
import { eventsOf } from '../../features/admin/access-log/links.ts';
import { accessMessages as text } from '../../features/admin/access-log/messages.ts';
import { adminApi } from '../../features/admin/admin-api.ts';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { TimeCell } from '../../features/admin/payments/cells.tsx';
import { SecurityTabs } from '../../features/admin/security/security-tabs.tsx';
import type { Column } from '../../features/admin/table/column.ts';
import { DataTable } from '../../features/admin/table/data-table.tsx';
import { useTable } from '../../features/admin/table/use-table.ts';

const columns: Column<AccessEventView, ColumnOf<'accessLog'>>[] = [
  { id: 'event', name: text.event, cell: (row) => <EventCell row={row} /> },
  { id: 'account', name: text.account, cell: (row) => <AccountCell row={row} /> },
  { id: 'address', name: text.address, cell: (row) => <AddressCell row={row} /> },
  { id: 'request', name: text.request, cell: (row) => <RequestCell row={row} /> },
  { id: 'status', name: text.status, cell: (row) => <StatusCodeCell row={row} /> },
  { id: 'at', name: text.time, cell: ({ at }) => <TimeCell at={at} />, sort: 'at' },
];

/** Security events, and what rules found in them. */
export function AccessLogPage() {
  const navigate = useNavigate();
  const table = useTable({
    list: adminRoutes.adminListAccessLog,
    load: adminApi.adminListAccessLog,
    filters: { kind: accessFilters, status: statusClasses },
    values: ['user', 'address', 'key', 'from', 'to'],
    sorts: accessSorts,
    columns: tableColumns.accessLog,
    exports: adminRoutes.adminExportAccessLog,
  });
  const open = ({ user, staff, address }: AccessEventView) => {
    const person = user ?? staff;
    void navigate(person ? eventsOf({ user: person.id }) : eventsOf({ address }));
  };
  return (
    <AdminPage title={text.title} subtitle={text.subtitle}>
      <SecurityTabs />
      <AnomaliesCard />
      <DataTable
        caption={text.caption}
        search={text.search}
        filterTexts={text.kinds}
        filters={<AccessFilters table={table} />}
        table={table}
        columns={columns}
        empty={text.empty}
        onOpen={open}
      />
    </AdminPage>
  );
}
