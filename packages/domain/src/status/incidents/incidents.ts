import { AppError } from '@uprez/contracts/errors/app-error';
import {
  endedStates,
  type IncidentState,
  incidentSorts,
  incidentStates,
  maintenanceStates,
  type Severity,
  type StatusService,
  statusServices,
} from '@uprez/contracts/policy/status';
import type {
  AdminIncident,
  Incident,
  NewIncident,
  NewIncidentUpdate,
  NewMaintenance,
} from '@uprez/contracts/schemas/status';
import type { AuditAction } from '@uprez/contracts/texts/admin/audit-actions';
import { formatAlternatives } from '@uprez/contracts/texts/format';
import { incidentStateNames } from '@uprez/contracts/texts/status';
import type { Tx } from '@uprez/db/database';
import { lockIncidents } from '@uprez/db/locks';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import {
  countIncidents,
  findIncident,
  type IncidentRow,
  type IncidentUpdateRow,
  type IncidentWithUpdates,
  insertIncident,
  insertIncidentUpdate,
  listIncidents as listRows,
  loadUpdates,
  lockIncident,
  updateIncident,
} from '@uprez/db/queries/status/incidents';
import { readClock } from '@uprez/db/times';
import { uuidv7 } from 'uuidv7';
import { isUuid } from '../../actor.ts';
import { type Administrator, lockAdmin, toAuditFields } from '../../admin/administrator.ts';
import type { Needs } from '../../context.ts';
import { notifySubscribers } from '../../newsletter/sending/notify-subscribers.ts';
import { defineTable } from '../../read-table.ts';

type Creation = {
  action: AuditAction;
  title: string;
  severity: Severity;
  state: IncidentState;
  services: readonly StatusService[];
  text: string;
  startsAt: Date;
  endsAt: Date | null;
  notify?: boolean | undefined;
};

/** Opens an incident that starts now. It is public immediately, and emailed to subscribers if requested. */
export const createIncident = (
  { db }: Needs<'db'>,
  { admin, incident }: { admin: Administrator; incident: NewIncident },
): Promise<AdminIncident> =>
  db.transaction().execute(async (tx) => {
    const creation = { ...incident, startsAt: await readClock(tx), endsAt: null };
    return await create(tx, admin, { action: 'incident.create', ...creation });
  });

/**
 * Schedules maintenance. It is public immediately, and emailed to subscribers. Throws `invalid_parameter` for a start
 * in the past.
 */
export const scheduleMaintenance = (
  { db }: Needs<'db'>,
  { admin, maintenance }: { admin: Administrator; maintenance: NewMaintenance },
): Promise<AdminIncident> =>
  db.transaction().execute(async (tx) => {
    const { startsAt, endsAt, ...facts } = maintenance;
    const times = { startsAt: new Date(startsAt), endsAt: new Date(endsAt) };
    if (times.startsAt < (await readClock(tx)))
      throw new AppError('invalid_parameter', { param: 'startsAt', detail: 'The start must be in the future.' });
    const kind = { severity: 'maintenance', state: 'scheduled' } as const;
    return await create(tx, admin, { action: 'incident.schedule', ...kind, ...facts, ...times, notify: true });
  });

async function create(
  tx: Tx,
  admin: Administrator,
  { action, text, notify, ...facts }: Creation,
): Promise<AdminIncident> {
  await lockIncidents(tx);
  await lockAdmin(tx, admin);
  const id = uuidv7();
  await insertIncident(tx, { id, ...facts });
  const update = { id: uuidv7(), incidentId: id, state: facts.state, text, authorId: admin.accountId };
  await insertIncidentUpdate(tx, update);
  if (notify) await notifySubscribers(tx, { ...facts, updateId: update.id, authorId: admin.accountId });
  const after = { ...facts, text };
  await insertAudit(tx, { ...toAuditFields(admin), action, subject: `incident:${id}`, before: {}, after });
  return await readIncident(tx, id);
}

/** Throws `incident_not_found`. */
async function readIncident(tx: Tx, id: string): Promise<AdminIncident> {
  const row = await findIncident(tx, id);
  const [incident] = await loadUpdates(tx, row ? [row] : []);
  if (!incident) throw new AppError('incident_not_found');
  return presentAdminIncident(incident);
}

type UpdateInput = { admin: Administrator; id: string; update: NewIncidentUpdate };

/**
 * Adds an update to an incident. Emails it to subscribers if requested, and always for maintenance. An incident ends
 * when it is resolved, and any other state reopens it. Maintenance ends when it is completed. Throws
 * `incident_not_found`, `incident_ended` for maintenance that has ended, or `invalid_parameter`. The state is invalid
 * if it belongs to the other kind of incident, or if it cancels maintenance that has started.
 */
export const addIncidentUpdate = ({ db }: Needs<'db'>, { admin, id, update }: UpdateInput): Promise<AdminIncident> =>
  db.transaction().execute(async (tx) => {
    await lockIncidents(tx);
    const incident = isUuid(id) ? await lockIncident(tx, id) : undefined;
    await lockAdmin(tx, admin);
    if (!incident) throw new AppError('incident_not_found');
    requireValidState(incident, update);
    const { state, text } = update;
    const changes = { state, endsAt: endOf(incident, update, await readClock(tx)) };
    await updateIncident(tx, incident.id, changes);
    const row = { id: uuidv7(), incidentId: incident.id, state, text, authorId: admin.accountId };
    await insertIncidentUpdate(tx, row);
    const after = await readIncident(tx, incident.id);
    if (update.notify || incident.severity === 'maintenance')
      await notifySubscribers(tx, { ...after, state, updateId: row.id, authorId: admin.accountId });
    const subject = `incident:${incident.id}`;
    const fields = { before: { state: incident.state }, after: { state, text } };
    await insertAudit(tx, { ...toAuditFields(admin), action: 'incident.update', subject, ...fields });
    return after;
  });

function requireValidState({ severity, state }: IncidentRow, update: NewIncidentUpdate): void {
  const isMaintenance = severity === 'maintenance';
  const states: readonly string[] = isMaintenance ? maintenanceStates : incidentStates;
  if (!states.includes(update.state)) {
    const names = (isMaintenance ? maintenanceStates : incidentStates).map((one) => incidentStateNames[one]);
    throw new AppError('invalid_parameter', { param: 'state', detail: `Choose ${formatAlternatives(names)}.` });
  }
  if (isMaintenance && endedStates.includes(state)) throw new AppError('incident_ended');
  if (update.state === 'canceled' && state !== 'scheduled')
    throw new AppError('invalid_parameter', { param: 'state', detail: alreadyStartedMessage });
}

const alreadyStartedMessage = 'This maintenance has started. Complete it instead.';

function endOf({ severity, startsAt, endsAt }: IncidentRow, { state }: NewIncidentUpdate, now: Date): Date | null {
  // Canceled maintenance keeps its scheduled times.
  if (severity === 'maintenance') return state === 'completed' ? new Date(Math.max(+startsAt, +now)) : endsAt;
  // An incident that was already resolved keeps its end time.
  return state === 'resolved' ? (endsAt ?? now) : null;
}

const incidents = defineTable({
  name: 'incidents',
  sorts: incidentSorts,
  list: listRows,
  count: countIncidents,
  present: async (rows, { db }) => (await loadUpdates(db, rows)).map(presentAdminIncident),
});

/** Returns a page of incidents and maintenance. Throws `invalid_parameter`. */
export const listIncidents = incidents.page;

const presentUpdate = ({ id, state, text, at }: IncidentUpdateRow) => ({ id, state, text, at: at.toISOString() });

export const presentIncident = ({ services, updates, ...row }: IncidentWithUpdates): Incident => ({
  id: row.id,
  title: row.title,
  severity: row.severity,
  state: row.state,
  services: statusServices.filter((service) => services.includes(service)),
  startsAt: row.startsAt.toISOString(),
  endsAt: row.endsAt?.toISOString() ?? null,
  updates: updates.map(presentUpdate),
});

const presentAdminIncident = (incident: IncidentWithUpdates): AdminIncident => ({
  ...presentIncident(incident),
  automatic: incident.automatic,
  updates: incident.updates.map((update) => ({
    ...presentUpdate(update),
    author: update.author === null ? null : { email: update.author },
    automatic: update.automatic,
  })),
});
