import type { IncidentState, ProbeState, ServiceState, Severity, StatusService } from '../policy/status.ts';

export const serviceNames: Record<StatusService, string> = {
  api: 'Image Processing API',
  web: 'Web Application',
  upload: 'File Upload Service',
  authentication: 'Authentication Service',
  payments: 'Payment Processing',
  delivery: 'CDN & File Delivery',
};

export const serviceStateNames: Record<ServiceState, string> = {
  operational: 'Operational',
  degraded: 'Degraded',
  outage: 'Outage',
  maintenance: 'Maintenance',
  unknown: 'Unknown',
  unconfigured: 'Not configured',
};

export const overallTexts: Record<ServiceState, string> = {
  operational: 'All systems operational',
  degraded: 'Degraded performance',
  outage: 'Service outage',
  maintenance: 'Under maintenance',
  unknown: 'Status unknown',
  unconfigured: 'Status unknown',
};

export const probeStateNames: Record<ProbeState, string> = {
  up: 'Up',
  degraded: 'Degraded',
  down: 'Down',
  maintenance: 'Maintenance mode',
  unconfigured: 'Not configured',
};

export const severityNames: Record<Severity, string> = {
  minor: 'Minor',
  major: 'Major',
  critical: 'Critical',
  maintenance: 'Maintenance',
};

export const incidentStateNames: Record<IncidentState, string> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
  scheduled: 'Scheduled',
  in_progress: 'In progress',
  completed: 'Completed',
  canceled: 'Canceled',
};

export const incidentListNames = {
  active: 'Active incidents',
  maintenance: 'Planned maintenance',
  past: 'Past incidents',
} as const;

/** Separates ongoing incidents from incidents that have ended. */
export const separateIncidents = <One extends { endsAt: string | null }>(incidents: readonly One[]): [One[], One[]] => [
  incidents.filter(({ endsAt }) => endsAt === null),
  incidents.filter(({ endsAt }) => endsAt !== null),
];

/** Formats a share of observed time, rounded down: `less than 1%`, `37%`. */
export const formatCoverage = (share: number): string =>
  share < 0.01 ? 'less than 1%' : `${Math.floor(share * 100 + 1e-9)}%`;

/** Formats an uptime, rounded down: `0.99954` -> `99.95%`. Only a period without outages is shown as 100%. */
export const formatUptime = (share: number): string => `${(Math.floor(share * 10_000 + 1e-9) / 100).toFixed(2)}%`;
