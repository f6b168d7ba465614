import type { Generated } from 'kysely';

/** What one key did on one day (UTC). */
export type ApiKeyDaysTable = {
  keyId: string;
  day: string;
  calls: Generated<number>;
  errors: Generated<number>;
  units: Generated<number>;
};
