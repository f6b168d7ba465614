import type { Meter } from '@uprez/contracts/policy/meters';
import type { Tier } from '@uprez/contracts/policy/plans';
import type { Generated } from 'kysely';

/**
 * Units that an account may use until they expire: of its plan, for one period, or granted by an administrator.
 * `units_left` is the sum of its ledger rows; below 0 only where the plan has no hard stop.
 */
export type AllowancesTable = {
  id: Generated<string>;
  account_id: string;
  meter: Meter;
  source: 'plan' | 'grant';
  /** Whose units these are, of a plan. */
  tier: Tier | null;
  units: number;
  units_left: number;
  hard_stop: Generated<boolean>;
  reason: string;
  starts_at: Date;
  expires_at: Date;
  /** What was left is expired and booked. */
  closed_at: Date | null;
  /** The largest share in percent of which its owner was told. */
  warned: Generated<number>;
  created_at: Generated<Date>;
};
