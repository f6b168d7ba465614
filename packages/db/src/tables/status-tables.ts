import type { IncidentState, OverrideState, ProbeState, Severity, StatusService } from '@uprez/contracts/policy/status';
import type { Generated } from 'kysely';

/** The result of a probe. `at`: a whole second. `ms`: its duration, if it succeeded. `detail`: the reason of a failure. */
export type ProbesTable = {
  id: Generated<string>;
  service: StatusService;
  at: Date;
  state: ProbeState;
  ms: number | null;
  detail: Generated<string>;
};

/** Seconds of a day (UTC) by state, and the number and the total duration of its successful probes. */
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

/** An incident, or maintenance. `automatic`: opened by probes. `createdAt`: when maintenance was announced. */
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

/** `automatic`: written by the dispatcher. `authorId`: null, too, after the account was deleted. */
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

/** The state that an administrator set for a service until a time. */
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
