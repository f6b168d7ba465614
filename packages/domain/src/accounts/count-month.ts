import type { UserRow } from '@uprez/db/queries/accounts/users';
import { type MonthCounts as Counts, countThisMonth } from '@uprez/db/queries/jobs/jobs';
import type { Needs } from '../context.ts';

export type User = UserRow;
export type MonthCounts = Counts;

/** Counts the images and API calls of an account in this calendar month (UTC). */
export const countMonth = (ctx: Needs<'db'>, { accountId }: { accountId: string }): Promise<MonthCounts> =>
  countThisMonth(ctx.db, accountId);
