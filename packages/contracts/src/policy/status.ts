/** What the status page reports on, in its order. */
export const statusServices = ['api', 'web', 'upload', 'authentication', 'payments', 'delivery'] as const;
export type StatusService = (typeof statusServices)[number];

/**
 * Results of probes. `maintenance`: the site was in maintenance mode. `unconfigured`: the service isn't set up, so there is
 * nothing to probe.
 */
export const probeStates = ['up', 'degraded', 'down', 'maintenance', 'unconfigured'] as const;
export type ProbeState = (typeof probeStates)[number];

/** `unknown`: no recent probe. */
export const serviceStates = ['operational', 'degraded', 'outage', 'maintenance', 'unknown', 'unconfigured'] as const;
export type ServiceState = (typeof serviceStates)[number];
/** States that an administrator can set until a chosen time. */
export const overrideStates = ['operational', 'degraded', 'outage', 'maintenance'] as const;
export type OverrideState = (typeof overrideStates)[number];

/** `maintenance`: planned, with a start and an end. */
export const incidentSeverities = ['minor', 'major', 'critical'] as const;
export const severities = [...incidentSeverities, 'maintenance'] as const;
export type Severity = (typeof severities)[number];

export const incidentStates = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
/** `canceled`: before it started. */
export const maintenanceStates = ['scheduled', 'in_progress', 'completed', 'canceled'] as const;
export type IncidentState = (typeof incidentStates)[number] | (typeof maintenanceStates)[number];
export const allIncidentStates = [...incidentStates, ...maintenanceStates] as const;

/** States after which an incident has ended. */
export const endedStates: readonly IncidentState[] = ['resolved', 'completed', 'canceled'];

export const statusRules = {
  /** Each service is probed once per interval. */
  probeIntervalS: 60,
  /** A state holds until the next probe, at most for so many intervals. */
  gapIntervals: 2,
  /** A failed probe is repeated after so many seconds each, before it counts. */
  confirmAfterS: [10, 10],
  attemptTimeoutS: 10,
  /** Outages of this length open an incident. */
  openAfterS: 300,
  /** So long without a problem resolves an automatic incident. */
  resolveAfterS: 600,
  /** Maintenance announced so long before it starts doesn't count. */
  noticeS: 86_400,
  /** Jobs of this time are counted, from so many on. */
  jobWindowS: 900,
  minJobs: 20,
  /** Images that failed, or waited for too long, count if they are of so many accounts: one account may send broken ones. */
  minAccounts: 3,
  degradedFailures: 0.05,
  outageFailures: 0.25,
  degradedWaitS: 60,
  /** Events of the payment provider that wait longer degrade payments. */
  inboxLagS: 300,
  /** Days of the figures, and of the bars. */
  figureDays: 30,
  barDays: 90,
  /** An uptime is shown once so many seconds of a service were observed: a share of an hour would promise too much. */
  minUptimeS: 86_400,
  /** The share of the days of the figures that probes must cover before their uptime is shown elsewhere. */
  minCoverage: 0.9,
  /** How long single probes are kept. */
  probeDays: 90,
  /** An override ends after so many days at most, because one that is forgotten hides what probes find. */
  overrideDays: 30,
  /** Ended incidents on the page and in the feed. */
  recentIncidents: 10,
  titleLength: 120,
  textLength: 2_000,
} as const;

/** Sort orders of probes and incidents. */
export const incidentSorts = ['-started', 'started'] as const;
export type IncidentSort = (typeof incidentSorts)[number];
export const probeSorts = ['-checked', 'checked'] as const;
export type ProbeSort = (typeof probeSorts)[number];
export const incidentFilters = ['open', 'ended'] as const;
export type IncidentFilter = (typeof incidentFilters)[number];
