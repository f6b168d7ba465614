import { type ProbeState, type ServiceState, type StatusService, statusServices } from '@uprez/contracts/policy/status';
import { type IncidentWithUpdates, listOpenIncidents, loadUpdates } from '@uprez/db/queries/status/incidents';
import { listOverrides, type OverrideRow } from '@uprez/db/queries/status/overrides';
import { listLatestProbes, type ProbeRow } from '@uprez/db/queries/status/probes';
import type { Needs } from '../../context.ts';
import { maxGapS } from '../count-seconds.ts';
import { secondsOf } from '../times.ts';

const serviceStateByProbe: Record<ProbeState, ServiceState> = {
  up: 'operational',
  degraded: 'degraded',
  down: 'outage',
  maintenance: 'maintenance',
  unconfigured: 'unconfigured',
};

export type CurrentState = {
  service: StatusService;
  state: ServiceState;
  probe: ProbeRow | undefined;
  override: OverrideRow | undefined;
};
export type StatusSnapshot = { states: CurrentState[]; open: IncidentWithUpdates[] };

/**
 * Reads the state of each service. A state set by an administrator takes precedence, then maintenance in progress, then
 * the latest probe unless it is older than two intervals. `at`: current time.
 */
export async function readServiceStates({ db }: Needs<'db'>, at: Date): Promise<StatusSnapshot> {
  const [probes, overrides, open] = await Promise.all([
    listLatestProbes(db),
    listOverrides(db, at),
    listOpenIncidents(db).then((rows) => loadUpdates(db, rows)),
  ]);
  const states = statusServices.map((service): CurrentState => {
    const probe = probes.find((one) => one.service === service);
    const override = overrides.find((one) => one.service === service);
    return { service, probe, override, state: override?.state ?? stateOf({ service, probe, open, at }) };
  });
  return { states, open };
}

type Facts = Pick<CurrentState, 'service' | 'probe'> & { open: readonly IncidentWithUpdates[]; at: Date };

function stateOf({ service, probe, open, at }: Facts): ServiceState {
  const isMaintained = open.some(
    ({ severity, startsAt, endsAt, services }) =>
      severity === 'maintenance' && startsAt <= at && endsAt && endsAt > at && services.includes(service),
  );
  if (isMaintained) return 'maintenance';
  if (!probe || secondsOf(at) - secondsOf(probe.at) > maxGapS) return 'unknown';
  return serviceStateByProbe[probe.state];
}

/** From worst to best. */
const statesBySeverity = ['outage', 'degraded', 'maintenance', 'unknown', 'operational'] as const;

/**
 * Returns the overall state: the worst of all services, and at least degraded during an incident. Services that aren't
 * configured don't count.
 */
export function overallStateOf(states: readonly ServiceState[], hasIncident: boolean): ServiceState {
  return statesBySeverity.find((state) => states.includes(state) || (hasIncident && state === 'degraded')) ?? 'unknown';
}
