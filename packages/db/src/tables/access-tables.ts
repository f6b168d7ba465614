import type { AccessKind, AnomalyRule } from '@uprez/contracts/policy/admin/logs';
import type { Generated, JSONColumnType } from 'kysely';

/**
 * An event in the access log.
 *
 * - `userId`: the account that the event is about.
 * - `staffId`: the administrator who made the request.
 * - `network`: the /24 or /48 network of the IP address.
 * - `path`: without the query and without secrets.
 * - `count`: number of requests that the row represents.
 * - `groupKey`: key that all requests in the row share. Includes the minute.
 */
export type AccessEventsTable = {
  id: Generated<number>;
  at: Generated<Date>;
  kind: AccessKind;
  userId: string | null;
  staffId: string | null;
  keyId: string | null;
  address: string | null;
  network: string | null;
  agent: string | null;
  country: string | null;
  method: string;
  path: string;
  status: number;
  requestId: string;
  newDevice: Generated<boolean>;
  count: Generated<number>;
  groupKey: string | null;
};

export type ApiKeyNetworksTable = {
  keyId: string;
  network: string;
  lastSeenAt: Generated<Date>;
};

export type ApiKeyHoursTable = {
  keyId: string;
  hour: Date;
  calls: number;
};

/**
 * A rule's finding about a subject (`user:<id>`, `address:<ip>`, `key:<id>`) on a day (UTC). `userId`: the subject's
 * account.
 */
export type AnomaliesTable = {
  id: Generated<string>;
  rule: AnomalyRule;
  subject: string;
  userId: string | null;
  day: string;
  count: number;
  evidence: JSONColumnType<Record<string, string | number | null>>;
  foundAt: Generated<Date>;
  /** When the owners were notified. Null if they haven't been. */
  mailedAt: Date | null;
  acknowledgedBy: string | null;
  acknowledgedAt: Date | null;
  note: string | null;
};

export type AccessTables = {
  accessEvents: AccessEventsTable;
  apiKeyNetworks: ApiKeyNetworksTable;
  apiKeyHours: ApiKeyHoursTable;
  anomalies: AnomaliesTable;
};
