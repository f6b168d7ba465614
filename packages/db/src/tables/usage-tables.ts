import type { DailyLimitName } from '@uprez/contracts/policy/daily-limits';
import type { Meter } from '@uprez/contracts/policy/plans/meters';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { Generated } from 'kysely';

/** Units from a plan period, a grant, or a pack. `unitsLeft` is negative only without a hard stop. */
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
   * `ref`: the invoice that pays for the units, or the payment for a pack. `cycle`: number of the month within the
   * invoice, starting at 0; always 0 for packs. Both are null without an invoice or payment.
   */
  ref: Generated<string | null>;
  cycle: Generated<number | null>;
  startsAt: Date;
  /** Null for packs, which never expire. */
  expiresAt: Date | null;
  /** When the allowance was closed. Any remaining units expired then. */
  closedAt: Date | null;
  /** The highest usage threshold, in percent, that the owner was notified of. */
  warned: Generated<number>;
  createdAt: Generated<Date>;
};

/**
 * `reserve` takes units, `settle` makes that final, `release` returns them, `expire` removes unused ones, and `reverse`
 * takes back units whose payment was refunded.
 */
export type LedgerKind = 'grant' | 'reserve' | 'settle' | 'release' | 'expire' | 'reverse';

/** Append-only record of every credit and debit of units, with its reason. Entries outlive their jobs. */
export type LedgerTable = {
  id: Generated<number>;
  accountId: string;
  /** ID of the job. For a batch item, ID of its unit, which becomes the ID of its first job. */
  jobId: string | null;
  allowanceId: string;
  kind: LedgerKind;
  meter: Meter;
  units: number;
  reason: string;
  /** The invoice that paid for the units, or the refund or dispute. An allowance has one entry per kind and `ref`. */
  ref: Generated<string | null>;
  createdAt: Generated<Date>;
};

/** An account's jobs on a day (UTC), aggregated when the jobs' rows are too old to keep. */
export type UsageDaysTable = {
  accountId: string;
  day: string;
  surface: 'web' | 'api';
  meter: 'ai' | 'standard';
  completed: Generated<number>;
  failed: Generated<number>;
  processingMs: Generated<number>;
};

/** Number of items of a kind (`name`) that an account created on its latest day (UTC). */
export type DailyCountsTable = {
  accountId: string;
  name: DailyLimitName;
  day: string;
  count: number;
};

export type UsageTables = {
  allowances: AllowancesTable;
  ledger: LedgerTable;
  usageDays: UsageDaysTable;
  dailyCounts: DailyCountsTable;
};
