import type { Generated } from 'kysely';

/** How far the days were rolled up. One row. */
export type AnalyticsStateTable = {
  isOnly: Generated<boolean>;
  /** Days before it are final. Null before the first day was rolled up. */
  frozenUntil: string | null;
  /** The first day without movements of MRR, while past days are filled in. */
  backfilledUntil: string | null;
  isBackfilled: Generated<boolean>;
  /** Payments, refunds, and disputes that were stored before are in the days that are final. */
  moneyReadAt: Date | null;
};

/** Jobs that ended on a day (UTC). `fromDeleted`: of accounts that were deleted before the day was final. */
export type JobDaysTable = {
  day: string;
  surface: 'web' | 'api';
  meter: 'ai' | 'standard';
  /** `unknown`: of AI jobs that were deleted before days were rolled up. */
  engine: string;
  /** Of the account when the day was rolled up. */
  tier: string;
  fromDeleted: boolean;
  completed: number;
  failed: number;
  cancelled: number;
  /** Of delivered results. */
  pixels: number;
  /** Processing time of delivered jobs. */
  runMs: number;
  /** Processing time of all attempts of all jobs. */
  engineMs: number;
};

/** A histogram of the times of delivered jobs: those that fell in a bucket of `policy/admin/histogram.ts`. */
export type JobTimeDaysTable = {
  day: string;
  engine: string;
  /** `wait`: until the attempt started. `run`: until its result was delivered. */
  measure: 'wait' | 'run';
  bucket: number;
  fromDeleted: boolean;
  count: number;
  /** Null: not kept yet. The limits of the bucket hold. */
  lowestMs: number | null;
  highestMs: number | null;
};

/** The histograms of a month whose days are all final. */
export type JobTimeMonthsTable = {
  month: string;
  engine: string;
  measure: 'wait' | 'run';
  bucket: number;
  count: number;
  /** Null: not kept on one of its days. The limits of the bucket hold. */
  lowestMs: number | null;
  highestMs: number | null;
};

/** Failed jobs of a day by error code. */
export type FailureDaysTable = {
  day: string;
  engine: string;
  code: string;
  fromDeleted: boolean;
  count: number;
};

/** Accounts of a day. `users`: at its end. `verifiedUsers`: new ones that confirmed their email address. */
export type SiteDaysTable = {
  day: string;
  users: number;
  newUsers: number;
  verifiedUsers: number;
  deletedUsers: number;
  /** That an image was delivered to. */
  activeUsers: number;
};

/** What deleted accounts add to days: to the one they signed up on, the one they were deleted on, and open active ones. */
export type DeletedAccountDaysTable = {
  day: string;
  newUsers: Generated<number>;
  verifiedUsers: Generated<number>;
  deletedUsers: Generated<number>;
  activeUsers: Generated<number>;
};

/** Revenue of a day by plan, or `pack`. Cents, some of them fractions. */
export type RevenueDaysTable = {
  day: string;
  tier: string;
  /** Paying accounts and MRR at the end of the day, if it is booked. */
  accounts: Generated<number>;
  mrr: Generated<number>;
  newMrr: Generated<number>;
  expansion: Generated<number>;
  contraction: Generated<number>;
  churn: Generated<number>;
  reactivation: Generated<number>;
  /** Accounts that stopped paying. */
  lostAccounts: Generated<number>;
  gross: Generated<number>;
  refunds: Generated<number>;
  isBooked: Generated<boolean>;
};

/** What an account paid per month when MRR was last booked. 0: paid before. */
export type MrrAccountsTable = {
  /** Of the account, or of Stripe's customer after the account was deleted. */
  payerId: string;
  tier: string;
  cents: number;
};

/** Accounts that signed up in a month, in a later month: with a delivered image, and paying. */
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
