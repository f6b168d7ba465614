import { type IncidentSort, incidentSorts } from '@uprez/contracts/policy/status';
import type { AdminIncident } from '@uprez/contracts/schemas/status';
import {
  countIncidents,
  type IncidentFilters,
  listIncidents as listRows,
  withUpdates,
} from '@uprez/db/queries/status/incidents';
import type { Needs } from '../../context.ts';
import { readPage, type TablePage, type TableQuery } from '../../read-table.ts';
import { presentAdminIncident } from '../page/present-incident.ts';

/** Returns a page of the incidents and maintenance. Throws `invalid_parameter`. */
export async function listIncidents(
  { db }: Needs<'db'>,
  { sort = incidentSorts[0], cursor, limit, ...filter }: IncidentFilters & TableQuery<IncidentSort>,
): Promise<TablePage<AdminIncident>> {
  const page = await readPage(
    { list: 'incidents', sort, cursor, limit },
    { list: (query) => listRows(db, { ...filter, ...query }), count: () => countIncidents(db, filter) },
  );
  return { ...page, rows: (await withUpdates(db, page.rows)).map(presentAdminIncident) };
}
