import type { Generated } from 'kysely';

/**
 * Guesses of a secret, by whom or what they are counted for (an account, one of its devices). `count`: since the last
 * pause or block; `blocks`: how many came in a row, which makes the next one longer; `blockedUntil`: the end of the
 * last one, past or to come.
 */
export type AttemptsTable = {
  subject: string;
  count: Generated<number>;
  blocks: Generated<number>;
  lastAt: Generated<Date>;
  blockedUntil: Date | null;
};
