import { AppError } from '@uprez/contracts/errors/app-error';
import { type StatusService, statusRules } from '@uprez/contracts/policy/status';
import type { Incident, ServiceStatus, Status, StatusDay } from '@uprez/contracts/schemas/status';
import { overallTexts, serviceNames } from '@uprez/contracts/texts/status';
import { findIncident, listEndedIncidents, loadUpdates } from '@uprez/db/queries/status/incidents';
import { listProbeDays, type ProbeDay } from '@uprez/db/queries/status/probe-days';
import { listFirstProbes, readProcessingMs } from '@uprez/db/queries/status/probes';
import { readClock } from '@uprez/db/times';
import { isUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { addSeconds, coverageOf, maxGapS, type Seconds, uptimeOf } from '../count-seconds.ts';
import { presentIncident } from '../incidents/incidents.ts';
import { dateOf, daysUntil, secondsOf, spanOfDay } from '../times.ts';
import { type CurrentState, overallStateOf, readServiceStates } from './service-states.ts';

const { barDays, figureDays, minUptimeS, recentIncidents } = statusRules;

/** Reads the data for the status page. `at`: current time. */
export async function getStatus(ctx: Needs<'db'>, at?: Date): Promise<Status> {
  const now = at ?? (await readClock(ctx.db));
  const bars = daysUntil(now, barDays);
  const since = dateOf(spanOfDay(bars[0] ?? '').from);
  const [{ states, open }, days, firstProbes, ended, processingMs] = await Promise.all([
    readServiceStates(ctx, now),
    listProbeDays(ctx.db, bars[0] ?? ''),
    listFirstProbes(ctx.db),
    listEndedIncidents(ctx.db, { since, limit: recentIncidents }).then((rows) => loadUpdates(ctx.db, rows)),
    readProcessingMs(ctx.db, figureDays),
  ]);
  const history = { bars, days, now };
  const services = states.map((current) => presentService(current, history));
  const configured = states.filter((one) => one.state !== 'unconfigured').map(({ service }) => service);
  const incidents = open.filter(({ severity }) => severity !== 'maintenance').toReversed();
  const state = overallStateOf(
    states.map((one) => one.state),
    incidents.length > 0,
  );
  return {
    state,
    description: overallTexts[state],
    checkedAt: findLatestProbeTime(states)?.toISOString() ?? null,
    observedSince: findHistoryStart(firstProbes, days)?.toISOString() ?? null,
    ...presentFigures(configured, history),
    processingMs: processingMs === null ? null : Math.round(processingMs),
    services,
    incidents: [...incidents, ...ended].map(presentIncident),
    maintenance: open.filter(({ severity }) => severity === 'maintenance').map(presentIncident),
  };
}

type History = { bars: readonly string[]; days: readonly ProbeDay[]; now: Date };
type Row = StatusDay & Pick<ProbeDay, 'responses' | 'responseMs'>;

const findLatestProbeTime = (states: readonly CurrentState[]): Date | undefined => {
  const times = states.flatMap(({ probe }) => (probe ? [probe.at.getTime()] : []));
  return times.length > 0 ? new Date(Math.max(...times)) : undefined;
};

/** Days are kept after their probes are deleted, so the first day may be earlier than the first probe. */
function findHistoryStart(firstProbes: ReadonlyMap<StatusService, Date>, days: readonly ProbeDay[]): Date | undefined {
  const probes = [...firstProbes.values()].map((at) => at.getTime());
  const [firstDay] = days;
  const day = firstDay && spanOfDay(firstDay.day).from * 1_000;
  const times = [...probes, ...(day !== undefined && day + 86_400_000 <= Math.min(...probes, Infinity) ? [day] : [])];
  return times.length > 0 ? new Date(Math.min(...times)) : undefined;
}

/** Time without data counts as unknown. */
function rowsOf(service: StatusService, { bars, days, now }: History): Row[] {
  const own = new Map(days.filter((day) => day.service === service).map((day) => [day.day, day]));
  const first = [...own.keys()][0];
  if (first === undefined) return [];
  return bars.filter((day) => day >= first).map((day) => toRow(day, own.get(day), now));
}

function toRow(day: string, row: ProbeDay | undefined, now: Date): Row {
  const span = spanOfDay(day);
  const length = Math.min(span.to, secondsOf(now)) - span.from;
  if (!row) return { day, up: 0, degraded: 0, down: 0, maintenance: 0, unknown: length, responses: 0, responseMs: 0 };
  const counts = { up: row.upS, degraded: row.degradedS, down: row.downS, maintenance: row.maintenanceS };
  const { unknownS, responses, responseMs, rolledUpAt } = row;
  // If the last roll-up is more than two intervals old, the dispatcher isn't probing, so the time since then is
  // unknown.
  const sinceS = length - Math.min(span.to - span.from, secondsOf(rolledUpAt) - span.from);
  return { day, ...counts, unknown: unknownS + (sinceS > maxGapS ? sinceS : 0), responses, responseMs };
}

const listFigureRows = (service: StatusService, history: History): Row[] => {
  const from = history.bars.at(-figureDays) ?? '';
  return rowsOf(service, history).filter(({ day }) => day >= from);
};

/** Days before the first probe reduce the coverage. */
function presentFigures(services: readonly StatusService[], history: History) {
  const rows = services.flatMap((service) => listFigureRows(service, history));
  const seconds: Seconds = addSeconds(rows);
  const { from } = spanOfDay(history.bars.at(-figureDays) ?? '');
  const totalS = services.length * (secondsOf(history.now) - from);
  const responses = rows.reduce((sum, row) => sum + row.responses, 0);
  const totalMs = rows.reduce((sum, row) => sum + row.responseMs, 0);
  const observedS = seconds.up + seconds.degraded + seconds.down + seconds.maintenance;
  return {
    uptime: observedS < services.length * minUptimeS ? null : uptimeOf(seconds),
    coverage: rows.length === 0 ? null : coverageOf(seconds, totalS),
    responseMs: responses === 0 ? null : Math.round(totalMs / responses),
  };
}

function presentService({ service, state }: CurrentState, history: History): ServiceStatus {
  const empty = { up: 0, degraded: 0, down: 0, maintenance: 0, unknown: 0 };
  const rows = new Map(rowsOf(service, history).map(({ responses: _, responseMs: __, ...day }) => [day.day, day]));
  return {
    service,
    name: serviceNames[service],
    state,
    ...presentFigures([service], history),
    days: history.bars.map((day) => rows.get(day) ?? { day, ...empty }),
  };
}

/** Returns an incident with its updates. Throws `incident_not_found`. */
export async function getIncident({ db }: Needs<'db'>, id: string): Promise<Incident> {
  const row = isUuid(id) ? await findIncident(db, id) : undefined;
  const [incident] = await loadUpdates(db, row ? [row] : []);
  if (!incident) throw new AppError('incident_not_found');
  return presentIncident(incident);
}
