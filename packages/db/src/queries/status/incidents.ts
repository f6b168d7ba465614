import {
  endedStates,
  type IncidentFilter,
  type IncidentSort,
  type Severity,
  type StatusService,
} from '@uprez/contracts/policy/status';
import { type Insertable, type Selectable, sql, type UpdateObject } from 'kysely';
import { containsPattern } from '../../conditions.ts';
import type { DbOrTx, Tables, Tx } from '../../database.ts';
import { countRows, makeOrders, type Page, readKeysetPage } from '../../keyset.ts';
import type { IncidentsTable, IncidentUpdatesTable } from '../../tables/status-tables.ts';

export type IncidentRow = Selectable<IncidentsTable>;
export type IncidentUpdateRow = Selectable<IncidentUpdatesTable> & { author: string | null };
/** An incident with its services and its updates, latest first. */
export type IncidentWithUpdates = IncidentRow & { services: StatusService[]; updates: IncidentUpdateRow[] };
export type IncidentListFilter = {
  search?: string | undefined;
  status?: IncidentFilter | undefined;
  severity?: Severity | undefined;
};

export async function insertIncident(
  tx: Tx,
  { services, ...row }: Insertable<IncidentsTable> & { services: readonly StatusService[] },
): Promise<void> {
  await tx.insertInto('incidents').values(row).execute();
  await addIncidentServices(tx, row.id, services);
}

export async function addIncidentServices(
  tx: Tx,
  incidentId: string,
  services: readonly StatusService[],
): Promise<void> {
  await tx
    .insertInto('incidentServices')
    .values(services.map((service) => ({ incidentId, service })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function insertIncidentUpdate(tx: Tx, row: Insertable<IncidentUpdatesTable>): Promise<void> {
  await tx.insertInto('incidentUpdates').values(row).execute();
}

export async function updateIncident(tx: Tx, id: string, values: UpdateObject<Tables, 'incidents'>): Promise<void> {
  await tx.updateTable('incidents').set(values).where('id', '=', id).execute();
}

export const lockIncident = (tx: Tx, id: string): Promise<IncidentRow | undefined> =>
  tx.selectFrom('incidents').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

const orders = makeOrders({ started: { column: 'startsAt', type: 'time' } });

function selectMatchingIncidents(db: DbOrTx, { search, status, severity }: IncidentListFilter) {
  let query = db.selectFrom('incidents');
  if (search) query = query.where(sql<boolean>`lower(title) like lower(${containsPattern(search)})`);
  if (status) query = query.where('state', status === 'ended' ? 'in' : 'not in', endedStates);
  return severity ? query.where('severity', '=', severity) : query;
}

export const listIncidents = (
  db: DbOrTx,
  { sort, after, limit, ...filter }: IncidentListFilter & Page & { sort: IncidentSort },
): Promise<(IncidentRow & { sortValue: number })[]> =>
  readKeysetPage(selectMatchingIncidents(db, filter).selectAll(), { order: orders[sort], id: 'id', after, limit });

export const countIncidents = (db: DbOrTx, filter: IncidentListFilter): Promise<number> =>
  countRows(selectMatchingIncidents(db, filter));

export const findIncident = (db: DbOrTx, id: string): Promise<IncidentRow | undefined> =>
  db.selectFrom('incidents').selectAll().where('id', '=', id).executeTakeFirst();

/** Lists incidents and maintenance that haven't ended, earliest first. */
export const listOpenIncidents = (db: DbOrTx): Promise<IncidentRow[]> =>
  db.selectFrom('incidents').selectAll().where('state', 'not in', endedStates).orderBy('startsAt').execute();

/** Lists the latest ended incidents by start time. Excludes canceled maintenance, which never started. */
export const listEndedIncidents = (
  db: DbOrTx,
  { since, limit }: { since: Date; limit: number },
): Promise<IncidentRow[]> =>
  db
    .selectFrom('incidents')
    .selectAll()
    .where('state', 'in', endedStates)
    .where('state', '!=', 'canceled')
    .where('startsAt', '>=', since)
    .whereRef('endsAt', '>', 'startsAt')
    .orderBy('startsAt', 'desc')
    .limit(limit)
    .execute();

export async function loadUpdates<Row extends IncidentRow>(
  db: DbOrTx,
  incidents: readonly Row[],
): Promise<(Row & IncidentWithUpdates)[]> {
  if (incidents.length === 0) return [];
  const ids = incidents.map(({ id }) => id);
  const services = await db.selectFrom('incidentServices').selectAll().where('incidentId', 'in', ids).execute();
  const updates = await db
    .selectFrom('incidentUpdates as update')
    .leftJoin('users', 'users.id', 'update.authorId')
    .selectAll('update')
    .select('users.email as author')
    .where('incidentId', 'in', ids)
    .orderBy('update.at', 'desc')
    .orderBy('update.id', 'desc')
    .execute();
  return incidents.map((incident) => ({
    ...incident,
    services: services.filter(({ incidentId }) => incidentId === incident.id).map(({ service }) => service),
    updates: updates.filter(({ incidentId }) => incidentId === incident.id),
  }));
}

type MaintenanceWindow = { service: StatusService; startsAt: Date; endsAt: Date };

/**
 * Lists maintenance windows that overlap a period and were announced at least `noticeS` seconds before they started.
 * Returns a separate window for each affected service.
 */
export async function listAnnouncedWindows(
  db: DbOrTx,
  { from, to, noticeS }: { from: Date; to: Date; noticeS: number },
): Promise<MaintenanceWindow[]> {
  const rows = await db
    .selectFrom('incidents')
    .innerJoin('incidentServices', 'incidentServices.incidentId', 'incidents.id')
    .select(['service', 'startsAt', 'endsAt'])
    .where('severity', '=', 'maintenance')
    .where('state', '!=', 'canceled')
    .where('startsAt', '<', to)
    .where('endsAt', '>', from)
    .where(sql<boolean>`created_at <= starts_at - make_interval(secs => ${noticeS})`)
    .execute();
  return rows.flatMap(({ endsAt, ...row }) => (endsAt ? [{ ...row, endsAt }] : []));
}
