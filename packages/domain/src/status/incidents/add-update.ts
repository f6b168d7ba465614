import { AppError } from '@uprez/contracts/errors/app-error';
import { endedStates, incidentStates, maintenanceStates } from '@uprez/contracts/policy/status';
import type { AdminIncident, NewUpdate } from '@uprez/contracts/schemas/status';
import { formatAlternatives } from '@uprez/contracts/texts/format';
import { incidentStateNames } from '@uprez/contracts/texts/status';
import { lockIncidents } from '@uprez/db/locks';
import { insertAudit } from '@uprez/db/queries/accounts/admin-users';
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
import { readIncident } from './create-incident.ts';

type Addition = { admin: Administrator; id: string; update: NewUpdate };

/**
 * Writes an update. An incident ends when it is resolved, and goes on with another state. Maintenance that is completed ends
 * now, or was canceled if it hasn't started. Throws `incident_not_found`, `incident_ended`, or `invalid_parameter` for a state
 * of the other kind.
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
    const [before, after] = [{ state: incident.state }, { state, text }];
    const subject = `incident:${incident.id}`;
    await insertAudit(tx, { ...auditedBy(admin), action: 'incident.update', subject, before, after });
    return await readIncident(tx, incident.id);
  });

function requireState({ severity, state }: IncidentRow, update: NewUpdate): void {
  const isMaintenance = severity === 'maintenance';
  const states: readonly string[] = isMaintenance ? maintenanceStates : incidentStates;
  if (!states.includes(update.state)) {
    const names = (isMaintenance ? maintenanceStates : incidentStates).map((one) => incidentStateNames[one]);
    throw new AppError('invalid_parameter', { param: 'state', detail: `Choose ${formatAlternatives(names)}.` });
  }
  if (isMaintenance && endedStates.includes(state)) throw new AppError('incident_ended');
}

function endOf({ severity, startsAt, endsAt }: IncidentRow, { state }: NewUpdate, now: Date): Date | null {
  if (severity === 'maintenance') return state === 'completed' ? new Date(Math.max(+startsAt, +now)) : endsAt;
  // A resolved incident keeps its end.
  return state === 'resolved' ? (endsAt ?? now) : null;
}
