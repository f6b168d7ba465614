import type { Generated } from 'kysely';

/** State of the daily roll-up, in a single row. */
export type AnalyticsStateTable = {
  isOnly: Generated<boolean>;
  /** Days before this one are final. Null until the first day is final. */
  frozenUntil: string | null;
  /** While past days are being backfilled, the first day for which MRR movements aren't booked yet. */
  backfilledUntil: string | null;
  isBackfilled: Generated<boolean>;
  /** Payments, refunds, and disputes that were stored before this time are included in final days. */
  moneyReadAt: Date | null;
};

/**
 * Jobs that ended on a day (UTC). `fromDeleted`: whether they belonged to accounts that were deleted before the day was
 * final.
 */
export type JobDaysTable = {
  day: string;
  surface: 'web' | 'api';
  meter: 'ai' | 'standard';
  /** `unknown` for AI jobs that were deleted before days were rolled up. */
  engine: string;
  /** The account's tier when the jobs were created or, for jobs that didn't store it, when the day was rolled up. */
  tier: string;
  fromDeleted: boolean;
  completed: number;
  failed: number;
  cancelled: number;
  pixels: number;
  /** Total processing time of delivered jobs, in milliseconds. */
  runMs: number;
  /** Total processing time of all attempts at all jobs, in milliseconds. */
  engineMs: number;
};

/** A histogram bucket for the times of delivered jobs. Buckets are defined in `policy/admin/histogram.ts`. */
export type JobTimeDaysTable = {
  day: string;
  engine: string;
  /**
   * `wait`: time until the attempt started. `run`: time from the start of the attempt until the result was delivered.
   */
  measure: 'wait' | 'run';
  bucket: number;
  fromDeleted: boolean;
  count: number;
  /** Null in rows of versions that didn't store it. The bucket's limits are used instead. */
  lowestMs: number | null;
  highestMs: number | null;
};

/** Histograms of a month whose days are all final. */
export type JobTimeMonthsTable = {
  month: string;
  engine: string;
  measure: 'wait' | 'run';
  bucket: number;
  count: number;
  /** Null if it wasn't stored for one of the month's days. The bucket's limits are used instead. */
  lowestMs: number | null;
  highestMs: number | null;
};

export type FailureDaysTable = {
  day: string;
  engine: string;
  code: string;
  fromDeleted: boolean;
  count: number;
};

/**
 * Account statistics for a day. `users`: number of accounts at the end of the day. `verifiedUsers`: new accounts that
 * confirmed their email address.
 */
export type SiteDaysTable = {
  day: string;
  users: number;
  newUsers: number;
  verifiedUsers: number;
  deletedUsers: number;
  /** Number of accounts to which an image was delivered. */
  activeUsers: number;
};

/**
 * Daily counts that deleted accounts leave behind: their sign-up, their deletion, and their activity on days that
 * weren't final.
 */
export type DeletedAccountDaysTable = {
  day: string;
  newUsers: Generated<number>;
  verifiedUsers: Generated<number>;
  deletedUsers: Generated<number>;
  activeUsers: Generated<number>;
};

/** Revenue on a day by plan, or for packs (`pack`). Amounts are in cents and may be fractional. */
export type RevenueDaysTable = {
  day: string;
  tier: string;
  /** Paying accounts and MRR at the end of the day. Valid only if `isBooked`. */
  accounts: Generated<number>;
  mrr: Generated<number>;
  newMrr: Generated<number>;
  expansion: Generated<number>;
  contraction: Generated<number>;
  churn: Generated<number>;
  reactivation: Generated<number>;
  lostAccounts: Generated<number>;
  gross: Generated<number>;
  refunds: Generated<number>;
  isBooked: Generated<boolean>;
};

/**
 * Monthly amount that an account was paying when MRR was last booked. `cents` is 0 if the account had stopped paying by
 * then.
 */
export type MrrAccountsTable = {
  /** ID of the account, or of the Stripe customer after the account was deleted. */
  payerId: string;
  tier: string;
  cents: number;
};

/**
 * Statistics for a month about the accounts that signed up in the month `cohort`: how many received a result, and how
 * many paid.
 */
export type CohortMonthsTable = {
  cohort: string;
  month: string;
  fromDeleted: boolean;
  accounts: Generated<number>;
  active: Generated<number>;
  /** Null if MRR wasn't booked in the month. */
  paying: number | null;
  mrr: number | null;
};

export type AnalyticsTables = {
  analyticsState: AnalyticsStateTable;
  cohortMonths: CohortMonthsTable;
  deletedAccountDays: DeletedAccountDaysTable;
  failureDays: FailureDaysTable;
  jobDays: JobDaysTable;
  jobTimeDays: JobTimeDaysTable;
  jobTimeMonths: JobTimeMonthsTable;
  mrrAccounts: MrrAccountsTable;
  revenueDays: RevenueDaysTable;
  siteDays: SiteDaysTable;
};
