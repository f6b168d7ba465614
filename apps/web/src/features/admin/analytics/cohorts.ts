import type { Cohort } from '@uprez/contracts/schemas/admin/analytics';

export const cohortViews = ['active', 'paying'] as const;
export type CohortView = (typeof cohortViews)[number];

/**
 * Accounts that signed up in one month. `shares[n]` is the share of the accounts (0 to 1) that are counted after `n`
 * months. Null if the month has no data.
 */
export type CohortRow = { cohort: string; accounts: number; shares: (number | null)[] };

const toMonthNumber = (day: string) => 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7));

/** Returns the cohorts that have accounts, newest first. */
export function groupCohorts(rows: readonly Cohort[], view: CohortView): CohortRow[] {
  const cohorts = new Map<string, CohortRow>();
  for (const row of rows) {
    const group = cohorts.get(row.cohort) ?? { cohort: row.cohort, accounts: 0, shares: [] };
    const age = toMonthNumber(row.month) - toMonthNumber(row.cohort);
    while (group.shares.length <= age) group.shares.push(null);
    const counted = row[view];
    group.shares[age] = counted !== null && row.accounts > 0 ? counted / row.accounts : null;
    // Rows are sorted by month, so the account count of the latest month remains.
    group.accounts = row.accounts;
    cohorts.set(row.cohort, group);
  }
  return [...cohorts.values()].filter(({ accounts }) => accounts > 0).toReversed();
}
