import type { Generated } from 'kysely';

/**
 * Guesses of a secret, by whom or what they are counted for (an account, a device, an address). `blocks`: how often it
 * was blocked in a row, which makes the next block longer.
 */
export type AttemptsTable = {
  subject: string;
  count: Generated<number>;
  blocks: Generated<number>;
  started_at: Generated<Date>;
  blocked_until: Date | null;
};
