import type { Generated, JSONColumnType } from 'kysely';

/** What administrators set; a name without a row has the first values of the environment. */
export type SettingsTable = {
  name: 'site' | 'email' | 'security';
  value: JSONColumnType<Record<string, unknown>>;
  updatedAt: Generated<Date>;
};
