import { AppError } from '@uprez/contracts/errors/app-error';
import type { IncidentState, Severity, StatusService } from '@uprez/contracts/policy/status';
import type { AdminIncident, NewIncident, NewMaintenance } from '@uprez/contracts/schemas/status';
import type { AuditAction } from '@uprez/contracts/texts/admin/audit-actions';
import type { Tx } from '@uprez/db/database';
import { lockIncidents } from '@uprez/db/locks';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { findIncident, insertIncident, insertIncidentUpdate, withUpdates } from '@uprez/db/queries/status/incidents';
import { readClock } from '@uprez/db/times';
import { uuidv7 } from 'uuidv7';
import { type Administrator, auditedBy, lockAdmin } from '../../admin/administrator.ts';
import type { Needs } from '../../context.ts';
import { notifySubscribers } from '../../newsletter/sending/notify-subscribers.ts';
import { presentAdminIncident } from '../page/present-incident.ts';

type Creation = {
  action: AuditAction;
  title: string;
  severity: Severity;
  state: IncidentState;
  services: readonly StatusService[];
  text: string;
  startsAt: Date;
  endsAt: Date | null;
  /** Whether subscribers are notified by email. */
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
  await insertAudit(tx, { ...auditedBy(admin), action, subject: `incident:${id}`, before: {}, after });
  return await readIncident(tx, id);
}

/** Returns an incident as shown to administrators. Throws `incident_not_found`. */
export async function readIncident(tx: Tx, id: string): Promise<AdminIncident> {
  const row = await findIncident(tx, id);
  const [incident] = await withUpdates(tx, row ? [row] : []);
  if (!incident) throw new AppError('incident_not_found');
  return presentAdminIncident(incident);
}
