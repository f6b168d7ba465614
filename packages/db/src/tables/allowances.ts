import type { Meter } from '@uprez/contracts/policy/meters';
import type { Tier } from '@uprez/contracts/policy/plans';
import type { Generated } from 'kysely';

/**
 * Units that an account may use until they expire: of its plan, for one period, or granted by an administrator.
 * `unitsLeft` is the sum of its ledger rows; below 0 only where the plan has no hard stop.
 */
export type AllowancesTable = {
  id: Generated<string>;
  accountId: string;
  meter: Meter;
  source: 'plan' | 'grant';
  /** Whose units these are, of a plan. */
  tier: Tier | null;
  units: number;
  unitsLeft: number;
  hardStop: Generated<boolean>;
  reason: string;
  startsAt: Date;
  expiresAt: Date;
  /** What was left is expired and booked. */
  closedAt: Date | null;
  /** The largest share in percent of which its owner was told. */
  warned: Generated<number>;
  createdAt: Generated<Date>;
};
