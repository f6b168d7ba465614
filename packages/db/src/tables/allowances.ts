import type { Generated } from 'kysely';

/** What a unit is counted on: a plan either has a meter for each kind of job, or one that all share. */
export type AllowanceMeter = 'ai' | 'standard' | 'shared';

/**
 * Units that an account may use until they expire: of its plan, for one period, or granted by an administrator.
 * `units_left` is the sum of its ledger rows; below 0 only where the plan has no hard stop. `warned`: the share in
 * percent of which its owner was told.
 */
export type AllowancesTable = {
  id: Generated<string>;
  account_id: string;
  meter: AllowanceMeter;
  source: 'plan' | 'grant';
  units: number;
  units_left: number;
  reason: string;
  starts_at: Date;
  expires_at: Date;
  /** What was left is expired and booked. */
  closed_at: Date | null;
  warned: Generated<number>;
  created_at: Generated<Date>;
};
