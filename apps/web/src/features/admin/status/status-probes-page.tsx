import { type ColumnOf, tables } from '@uprez/contracts/policy/admin/tables';
import type { Probe } from '@uprez/contracts/schemas/status';
import { probeStateNames, serviceNames } from '@uprez/contracts/texts/status';
import { formatDuration } from '../../../lib/format/format.ts';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { TimeCell } from '../payments/cells.tsx';
import { DataTable } from '../table/data-table.tsx';
import { type Column, useTable } from '../table/use-table.ts';
import { statusMessages } from './messages.ts';

const text = statusMessages.probes;

const columns: Column<Probe, ColumnOf<'probes'>>[] = [
  {
    id: 'service',
    name: text.service,
    cell: ({ service }) => <span className="font-medium">{serviceNames[service]}</span>,
  },
  { id: 'state', name: text.state, cell: ({ state }) => probeStateNames[state] },
  {
    id: 'duration',
    name: text.duration,
    cell: ({ ms }) => (ms === null ? text.none : formatDuration(ms)),
    isNumeric: true,
  },
  { id: 'detail', name: text.detail, cell: ({ detail }) => <span className="text-muted text-xs">{detail}</span> },
  { id: 'checked', name: text.checked, cell: ({ at }) => <TimeCell at={at} />, sort: 'checked' },
];

const filterTexts = {
  service: { label: text.service, all: text.allServices, names: serviceNames },
  state: { label: text.state, all: text.allStates, names: probeStateNames },
};

export function ProbesPage() {
  const table = useTable(tables.probes, { load: adminApi.adminListProbes });
  return (
    <AdminPage title={text.title} subtitle={text.subtitle}>
      <DataTable text={text} table={table} columns={columns} filterTexts={filterTexts} />
    </AdminPage>
  );
}
