/** Services on the status page, in display order. */
export const statusServices = ['api', 'web', 'upload', 'authentication', 'payments', 'delivery'] as const;
export type StatusService = (typeof statusServices)[number];

/**
 * Results of probes. `maintenance`: the site was in maintenance mode. `unconfigured`: the service isn't set up, and
 * can't be probed.
 */
export const probeStates = ['up', 'degraded', 'down', 'maintenance', 'unconfigured'] as const;
export type ProbeState = (typeof probeStates)[number];

/** `unknown`: no recent probe. */
export const serviceStates = ['operational', 'degraded', 'outage', 'maintenance', 'unknown', 'unconfigured'] as const;
export type ServiceState = (typeof serviceStates)[number];
/** States that an administrator can set for a service until a chosen time. */
export const overrideStates = ['operational', 'degraded', 'outage', 'maintenance'] as const;
export type OverrideState = (typeof overrideStates)[number];

/** `severities` also has `maintenance`: planned work with a start and an end. */
export const incidentSeverities = ['minor', 'major', 'critical'] as const;
export const severities = [...incidentSeverities, 'maintenance'] as const;
export type Severity = (typeof severities)[number];

export const incidentStates = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
/** `canceled`: canceled before the maintenance started. */
export const maintenanceStates = ['scheduled', 'in_progress', 'completed', 'canceled'] as const;
export type IncidentState = (typeof incidentStates)[number] | (typeof maintenanceStates)[number];
export const allIncidentStates = [...incidentStates, ...maintenanceStates] as const;

export const endedStates: readonly IncidentState[] = ['resolved', 'completed', 'canceled'];

export const statusRules = {
  probeIntervalS: 60,
  /** Maximum number of intervals for which a state stays valid without another probe. */
  gapIntervals: 2,
  /** Delays before the retries of a failed probe, in seconds. The failure counts only if all retries fail. */
  confirmAfterS: [10, 10],
  attemptTimeoutS: 10,
  /** Minimum duration of an outage that opens an incident, in seconds. */
  openAfterS: 300,
  /** Time without failures after which an automatically opened incident is resolved, in seconds. */
  resolveAfterS: 600,
  /** Minimum notice for maintenance to be excluded from the uptime, in seconds. */
  noticeS: 86_400,
  /**
   * Time window in which jobs are evaluated, in seconds. `minJobs`: minimum number of jobs that must end in the window.
   */
  jobWindowS: 900,
  minJobs: 20,
  /**
   * Failed or late images count only if they affect at least this many accounts, because a single account may send
   * broken images.
   */
  minAccounts: 3,
  degradedFailures: 0.05,
  outageFailures: 0.25,
  degradedWaitS: 60,
  /** Waiting time of payment events above which payments are degraded, in seconds. */
  inboxLagS: 300,
  /** Number of days that the figures on the status page cover, and number of days that the bars cover. */
  figureDays: 30,
  barDays: 90,
  /**
   * Minimum observed time of a service for its uptime to be shown, in seconds. The uptime of a single hour would be
   * misleading.
   */
  minUptimeS: 86_400,
  /** Minimum share of `figureDays` that probes must cover for the uptime to be shown on other pages. */
  minCoverage: 0.9,
  probeDays: 90,
  /** Maximum duration of an override, in days. A forgotten override would hide the results of probes. */
  overrideDays: 30,
  /** Maximum number of ended incidents on the page and in the feed. */
  recentIncidents: 10,
  titleLength: 120,
  textLength: 2_000,
} as const;

export const incidentSorts = ['-started', 'started'] as const;
export type IncidentSort = (typeof incidentSorts)[number];
export const probeSorts = ['-checked', 'checked'] as const;
export type ProbeSort = (typeof probeSorts)[number];
export const incidentFilters = ['open', 'ended'] as const;
export type IncidentFilter = (typeof incidentFilters)[number];
