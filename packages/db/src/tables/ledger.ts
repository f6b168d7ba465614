import type { Meter } from '@uprez/contracts/policy/meters';
import type { Generated } from 'kysely';

/**
 * `grant` gives units, `reserve` takes them, `settle` keeps them taken (0), `release` gives them back, `expire` ends
 * what was not used: the balance is the sum.
 */
export type LedgerKind = 'grant' | 'reserve' | 'settle' | 'release' | 'expire';

/** Append-only record of every unit, with the reason in words. Rows outlive the job they tell of. */
export type LedgerTable = {
  id: Generated<number>;
  accountId: string;
  /** Of a reserve and what closes it; it may be a job that is still to come (an item of a batch). */
  jobId: string | null;
  allowanceId: string;
  kind: LedgerKind;
  meter: Meter;
  units: number;
  reason: string;
  createdAt: Generated<Date>;
};
