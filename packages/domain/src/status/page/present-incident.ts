import { statusServices } from '@uprez/contracts/policy/status';
import type { AdminIncident, Incident } from '@uprez/contracts/schemas/status';
import type { IncidentUpdateRow, IncidentWithUpdates } from '@uprez/db/queries/status/incidents';

const presentUpdate = ({ id, state, text, at }: IncidentUpdateRow) => ({ id, state, text, at: at.toISOString() });

/** Formats an incident for the public. */
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

/** Formats an incident for administrators. */
export const presentAdminIncident = (incident: IncidentWithUpdates): AdminIncident => ({
  ...presentIncident(incident),
  automatic: incident.automatic,
  updates: incident.updates.map((update) => ({
    ...presentUpdate(update),
    author: update.author === null ? null : { email: update.author },
    automatic: update.automatic,
  })),
});
