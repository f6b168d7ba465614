import type { Generated } from 'kysely';

/** One account's jobs of one day (UTC), folded when the rows they come from are too old to keep. */
export type UsageDaysTable = {
  accountId: string;
  day: string;
  surface: 'web' | 'api';
  meter: 'ai' | 'standard';
  completed: Generated<number>;
  failed: Generated<number>;
  processingMs: Generated<number>;
};
