import type { Tx } from '@uprez/db/database';
import { keepCohortsOfDeleted } from '@uprez/db/queries/analytics/cohorts';
import { keepMrrOfDeleted } from '@uprez/db/queries/analytics/mrr';
import { keepJobsOfDeleted } from '@uprez/db/queries/analytics/roll-up-jobs';
import { keepDaysOfDeleted } from '@uprez/db/queries/analytics/sources';
import { shareRollUp } from '@uprez/db/queries/analytics/state';

/** Keeps the numbers of an account in the days that aren't final, without its ID. Before its rows are deleted. */
export async function keepDeletedAccount(tx: Tx, accountId: string): Promise<void> {
  await shareRollUp(tx);
  await keepJobsOfDeleted(tx, accountId);
  await keepDaysOfDeleted(tx, accountId);
  await keepCohortsOfDeleted(tx, accountId);
  await keepMrrOfDeleted(tx, accountId);
}
