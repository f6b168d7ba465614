import type { Generated } from 'kysely';

/** `reserve` takes units, `settle` keeps them taken (0), `release` gives them back: the balance is the sum. */
export type LedgerKind = 'reserve' | 'settle' | 'release';
export type Meter = 'ai' | 'standard';

/** Append-only record of every unit, with the reason in words. */
export type LedgerTable = {
  id: Generated<number>;
  account_id: string;
  job_id: string;
  kind: LedgerKind;
  meter: Meter;
  units: number;
  reason: string;
  created_at: Generated<Date>;
};
