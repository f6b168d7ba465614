import type { Generated, JSONColumnType } from 'kysely';

/** Values of this installation by name, such as the ID of its object storage. */
export type InstanceTable = {
  name: string;
  value: string;
};

/** Settings changed by administrators. Without a row, the environment's values are used. */
export type SettingsTable = {
  name: 'site' | 'email' | 'security' | 'billing' | 'seo' | 'jobs';
  value: JSONColumnType<Record<string, unknown>>;
  version: Generated<number>;
  updatedAt: Generated<Date>;
};

/** A saved version of the settings, and who saved it. Version 0 has the values from before the first save. */
export type SettingsVersionsTable = {
  name: SettingsTable['name'];
  version: number;
  /** The settings without their secrets. */
  value: JSONColumnType<Record<string, unknown>>;
  /** Names of the secrets that changed. */
  secrets: Generated<string[]>;
  actorId: string | null;
  restoredFrom: number | null;
  createdAt: Generated<Date>;
};

export type ScheduledTasksTable = {
  name: string;
  nextRunAt: Generated<Date>;
  /** The scheduler that holds the task's lease until `leaseUntil`. Null if no scheduler holds it. */
  leaseHolder: string | null;
  leaseUntil: Date | null;
  lastStartedAt: Date | null;
  lastFinishedAt: Date | null;
  lastSucceededAt: Date | null;
  lastError: string | null;
};

/** A message to send after the transaction that wrote it commits. The dispatcher sends it and sets `sentAt`. */
export type OutboxTable = {
  id: string;
  kind: string;
  payload: JSONColumnType<Record<string, unknown>>;
  attempts: Generated<number>;
  notBefore: Generated<Date>;
  createdAt: Generated<Date>;
  sentAt: Date | null;
  userId: string | null;
  failedAt: Date | null;
  lastError: string | null;
};

export type InstanceTables = {
  instance: InstanceTable;
  settings: SettingsTable;
  settingsVersions: SettingsVersionsTable;
  scheduledTasks: ScheduledTasksTable;
  outbox: OutboxTable;
};
