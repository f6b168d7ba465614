import { AppError } from '@uprez/contracts/errors/app-error';
import type { Incident } from '@uprez/contracts/schemas/status';
import { findIncident, withUpdates } from '@uprez/db/queries/status/incidents';
import { isUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { presentIncident } from './present-incident.ts';

/** Reads an incident with its updates. Throws `incident_not_found`. */
export async function getIncident({ db }: Needs<'db'>, id: string): Promise<Incident> {
  const row = isUuid(id) ? await findIncident(db, id) : undefined;
  const [incident] = await withUpdates(db, row ? [row] : []);
  if (!incident) throw new AppError('incident_not_found');
  return presentIncident(incident);
}
