import type { IncidentState, OverrideState, ProbeState, Severity, StatusService } from '@uprez/contracts/policy/status';
import type { Generated } from 'kysely';

/** `at`: a whole second. `ms`: duration of a successful probe. `detail`: reason for a failure. */
export type ProbesTable = {
  id: Generated<string>;
  service: StatusService;
  at: Date;
  state: ProbeState;
  ms: number | null;
  detail: Generated<string>;
};

/** Seconds in each state on a day (UTC), and the number and total duration of successful probes. */
export type ProbeDaysTable = {
  service: StatusService;
  day: string;
  upS: number;
  degradedS: number;
  downS: number;
  maintenanceS: number;
  unknownS: number;
  responses: number;
  responseMs: number;
  rolledUpAt: Generated<Date>;
};

/** `automatic`: whether probes opened it. `createdAt`: for maintenance, when it was announced. */
export type IncidentsTable = {
  id: string;
  title: string;
  severity: Severity;
  state: IncidentState;
  automatic: Generated<boolean>;
  startsAt: Date;
  endsAt: Date | null;
  createdAt: Generated<Date>;
};

/** `automatic`: whether the dispatcher wrote the update. `authorId`: also null after the account was deleted. */
export type IncidentUpdatesTable = {
  id: string;
  incidentId: string;
  state: IncidentState;
  text: string;
  automatic: Generated<boolean>;
  authorId: string | null;
  at: Generated<Date>;
};

export type IncidentServicesTable = {
  incidentId: string;
  service: StatusService;
};

/** The state that an administrator set for a service. In effect until `until`. */
export type StatusOverridesTable = {
  service: StatusService;
  state: OverrideState;
  until: Date;
};

export type StatusTables = {
  probes: ProbesTable;
  probeDays: ProbeDaysTable;
  incidents: IncidentsTable;
  incidentUpdates: IncidentUpdatesTable;
  incidentServices: IncidentServicesTable;
  statusOverrides: StatusOverridesTable;
};
