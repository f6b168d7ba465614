import {
  type IncidentState,
  type ProbeState,
  type StatusService,
  statusRules,
  statusServices,
} from '@uprez/contracts/policy/status';
import { formatList } from '@uprez/contracts/texts/format';
import { serviceNames } from '@uprez/contracts/texts/status';
import type { Tx } from '@uprez/db/database';
import { lockIncidents } from '@uprez/db/locks';
import {
  addIncidentServices,
  type IncidentWithUpdates,
  insertIncident,
  insertIncidentUpdate,
  listOpenIncidents,
  loadUpdates,
  updateIncident,
} from '@uprez/db/queries/status/incidents';
import { listProbesBetween } from '@uprez/db/queries/status/probes';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../../context.ts';
import { notifySubscribers } from '../../newsletter/sending/notify-subscribers.ts';
import { maxGapS, type TimedState } from '../count-seconds.ts';
import { dateOf, secondsOf } from '../times.ts';

/** Longer than the times after which incidents are opened and resolved. */
const probeWindowS = statusRules.resolveAfterS + 5 * statusRules.probeIntervalS;
const formatMinutes = (seconds: number) => `${seconds / 60} minutes`;
const namesOf = (services: readonly StatusService[]) => formatList(services.map((service) => serviceNames[service]));

/**
 * Starts and ends maintenance, and opens and resolves incidents based on the latest probes. `at`: current time.
 * Idempotent.
 */
export const settleIncidents = ({ db }: Needs<'db'>, at: Date): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await lockIncidents(tx);
    const open = await loadUpdates(tx, await listOpenIncidents(tx));
    for (const incident of open.filter(({ severity }) => severity === 'maintenance'))
      await settleMaintenance(tx, incident, at);
    const probes = await listProbesBetween(tx, dateOf(secondsOf(at) - probeWindowS), at);
    const timed = (service: StatusService): TimedState[] =>
      probes.filter((probe) => probe.service === service).map(({ at: on, state }) => ({ at: secondsOf(on), state }));
    const incidents = open.filter(({ severity }) => severity !== 'maintenance');
    const isMaintained = (service: StatusService) =>
      open.some((one) => one.severity === 'maintenance' && one.startsAt <= at && one.services.includes(service));
    const out = statusServices.filter(
      (service) => isConfirmedDown(timed(service), secondsOf(at)) && !isMaintained(service),
    );
    const extended = await openOrExtendIncident(tx, { incidents, out, at });
    for (const incident of incidents.filter(isAutomaticOnly))
      if (incident !== extended && incident.services.every((service) => isConfirmedUp(timed(service), secondsOf(at))))
        await writeStep(tx, { incident, state: 'resolved', at, text: resolvedText, endsAt: at });
  });

const resolvedText = `Automatic checks have passed for ${formatMinutes(statusRules.resolveAfterS)}. This incident is resolved.`;

const isAutomaticOnly = ({ automatic, updates }: IncidentWithUpdates) =>
  automatic && updates.every((update) => update.automatic);

type Outage = { incidents: readonly IncidentWithUpdates[]; out: readonly StatusService[]; at: Date };

/**
 * Opens an incident for services that have none, or adds the services to the open automatic incident. Services that
 * fail together or in succession then share an incident. Returns the incident if it was extended.
 */
async function openOrExtendIncident(tx: Tx, { incidents, out, at }: Outage): Promise<IncidentWithUpdates | undefined> {
  const services = out.filter((service) => !incidents.some((incident) => incident.services.includes(service)));
  if (services.length === 0) return undefined;
  const current = incidents.find(({ automatic }) => automatic);
  if (current) {
    await addIncidentServices(tx, current.id, services);
    const incident = { ...current, services: [...current.services, ...services] };
    await writeStep(tx, { incident, state: current.state, at, text: `Also affected: ${namesOf(services)}.` });
    return current;
  }
  const id = uuidv7();
  const severity = services.length > 2 ? 'critical' : 'major';
  const title = `Outage: ${namesOf(services)}`;
  const state = 'investigating';
  await insertIncident(tx, { id, title, severity, state, automatic: true, startsAt: at, createdAt: at, services });
  const text = `Automatic checks have failed for ${formatMinutes(statusRules.openAfterS)}. We're investigating.`;
  await publishUpdate(tx, { incident: { id, title, severity, services }, state, text, at });
  return undefined;
}

async function settleMaintenance(tx: Tx, incident: IncidentWithUpdates, at: Date): Promise<void> {
  if (incident.endsAt && incident.endsAt <= at)
    await writeStep(tx, { incident, state: 'completed', at, text: 'The planned maintenance is completed.' });
  else if (incident.state === 'scheduled' && incident.startsAt <= at)
    await writeStep(tx, { incident, state: 'in_progress', at, text: 'The planned maintenance has started.' });
}

type Step = { incident: IncidentWithUpdates; state: IncidentState; at: Date; text: string; endsAt?: Date };

async function writeStep(tx: Tx, { incident, state, at, text, endsAt }: Step): Promise<void> {
  await updateIncident(tx, incident.id, { state, ...(endsAt && { endsAt }) });
  await publishUpdate(tx, { incident, state, text, at });
}

type Update = Pick<Step, 'state' | 'text' | 'at'> & {
  incident: Pick<IncidentWithUpdates, 'id' | 'title' | 'severity' | 'services'>;
};

async function publishUpdate(tx: Tx, { incident: { id, ...facts }, state, text, at }: Update): Promise<void> {
  const updateId = uuidv7();
  await insertIncidentUpdate(tx, { id: updateId, incidentId: id, state, text, automatic: true, at });
  await notifySubscribers(tx, { ...facts, state, updateId, authorId: null });
}

/**
 * Returns for how many seconds up to `now` all probes have had one of the states, without a gap. Returns 0 if the
 * latest probe has another state or is older than two intervals. `probes`: probes of one service, in order.
 */
function streakOf(probes: readonly TimedState[], now: number, states: readonly ProbeState[]): number {
  let start = now;
  for (const { at, state } of probes.toReversed()) {
    if (!states.includes(state) || start - at > maxGapS) break;
    start = at;
  }
  return now - start;
}

const isConfirmedDown = (probes: readonly TimedState[], now: number): boolean =>
  streakOf(probes, now, ['down']) >= statusRules.openAfterS;

const isConfirmedUp = (probes: readonly TimedState[], now: number): boolean =>
  streakOf(probes, now, ['up', 'unconfigured']) >= statusRules.resolveAfterS;
