import type { DailyCount } from '@uprez/contracts/policy/daily-limits';
import type { Meter } from '@uprez/contracts/policy/plans/meters';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { Generated } from 'kysely';

/** Units of a plan for one period, granted, or bought as a pack. `unitsLeft` is negative only without a hard stop. */
export type AllowancesTable = {
  id: Generated<string>;
  accountId: string;
  meter: Meter;
  source: 'plan' | 'grant' | 'pack';
  tier: Tier | null;
  units: number;
  unitsLeft: number;
  hardStop: Generated<boolean>;
  reason: string;
  /**
   * The invoice that pays the units, and the number of their month within it, from 0. Null if no invoice does. Packs: the
   * payment, and 0.
   */
  ref: Generated<string | null>;
  cycle: Generated<number | null>;
  startsAt: Date;
  /** Null: never. Packs don't expire. */
  expiresAt: Date | null;
  /** When the remaining units expired. */
  closedAt: Date | null;
  /** The largest share in percent that the owner was notified of. */
  warned: Generated<number>;
  createdAt: Generated<Date>;
};

/**
 * `reserve` takes units, `settle` keeps them, `release` returns them, `expire` ends unused ones, `reverse`
 * takes back what was refunded.
 */
export type LedgerKind = 'grant' | 'reserve' | 'settle' | 'release' | 'expire' | 'reverse';

/** Append-only record of every unit, with the reason in words. Rows outlive the job they tell of. */
export type LedgerTable = {
  id: Generated<number>;
  accountId: string;
  /** The job, or the batch item's unit that becomes one. */
  jobId: string | null;
  allowanceId: string;
  kind: LedgerKind;
  meter: Meter;
  units: number;
  reason: string;
  /** What the row is for: the invoice that paid the units, or the refund or dispute. One row of a kind per allowance. */
  ref: Generated<string | null>;
  createdAt: Generated<Date>;
};

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

/** How many of something (`name`) an account created on its latest day (UTC). */
export type DailyCountsTable = {
  accountId: string;
  name: DailyCount;
  day: string;
  count: number;
};

export type UsageTables = {
  allowances: AllowancesTable;
  ledger: LedgerTable;
  usageDays: UsageDaysTable;
  dailyCounts: DailyCountsTable;
};
