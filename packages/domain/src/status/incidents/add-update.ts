import { AppError } from '@uprez/contracts/errors/app-error';
import { endedStates, incidentStates, maintenanceStates } from '@uprez/contracts/policy/status';
import type { AdminIncident, NewUpdate } from '@uprez/contracts/schemas/status';
import { formatAlternatives } from '@uprez/contracts/texts/format';
import { incidentStateNames } from '@uprez/contracts/texts/status';
import { lockIncidents } from '@uprez/db/locks';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import {
  type IncidentRow,
  insertIncidentUpdate,
  lockIncident,
  updateIncident,
} from '@uprez/db/queries/status/incidents';
import { readClock } from '@uprez/db/times';
import { uuidv7 } from 'uuidv7';
import { isUuid } from '../../actor.ts';
import { type Administrator, auditedBy, lockAdmin } from '../../admin/administrator.ts';
import type { Needs } from '../../context.ts';
import { notifySubscribers } from '../../newsletter/sending/notify-subscribers.ts';
import { readIncident } from './create-incident.ts';

type Addition = { admin: Administrator; id: string; update: NewUpdate };

/**
 * Adds an update to an incident, and emails it to subscribers if requested or if the incident is maintenance. An
 * incident ends when it is resolved, and is open in any other state. Completed maintenance ends now, and canceled
 * maintenance never starts. Throws `incident_not_found`, `incident_ended`, or `invalid_parameter` for a state of the
 * other kind or when canceling maintenance that has started.
 */
export const addIncidentUpdate = ({ db }: Needs<'db'>, { admin, id, update }: Addition): Promise<AdminIncident> =>
  db.transaction().execute(async (tx) => {
    await lockIncidents(tx);
    const incident = isUuid(id) ? await lockIncident(tx, id) : undefined;
    await lockAdmin(tx, admin);
    if (!incident) throw new AppError('incident_not_found');
    requireState(incident, update);
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
    await insertAudit(tx, { ...auditedBy(admin), action: 'incident.update', subject, ...fields });
    return after;
  });

function requireState({ severity, state }: IncidentRow, update: NewUpdate): void {
  const isMaintenance = severity === 'maintenance';
  const states: readonly string[] = isMaintenance ? maintenanceStates : incidentStates;
  if (!states.includes(update.state)) {
    const names = (isMaintenance ? maintenanceStates : incidentStates).map((one) => incidentStateNames[one]);
    throw new AppError('invalid_parameter', { param: 'state', detail: `Choose ${formatAlternatives(names)}.` });
  }
  if (isMaintenance && endedStates.includes(state)) throw new AppError('incident_ended');
  if (update.state === 'canceled' && state !== 'scheduled')
    throw new AppError('invalid_parameter', { param: 'state', detail: hasStarted });
}

const hasStarted = 'This maintenance has started. Complete it instead.';

function endOf({ severity, startsAt, endsAt }: IncidentRow, { state }: NewUpdate, now: Date): Date | null {
  // Canceled maintenance keeps its scheduled times.
  if (severity === 'maintenance') return state === 'completed' ? new Date(Math.max(+startsAt, +now)) : endsAt;
  // A resolved incident keeps its end time.
  return state === 'resolved' ? (endsAt ?? now) : null;
}
