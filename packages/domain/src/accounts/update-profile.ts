import { AppError } from '@uprez/contracts/errors/app-error';
import { type UserRow, updateUser } from '@uprez/db/queries/accounts/users';
import { type MonthCounts as Counts, countThisMonth } from '@uprez/db/queries/jobs/jobs';
import type { Needs } from '../context.ts';

/** Fields to change. Absent fields stay unchanged. An empty or null name is removed. */
export type Profile = {
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  quotaEmails?: boolean | undefined;
  batchEmails?: boolean | undefined;
};

/** Changes a user's name or email settings. Throws `not_signed_in` if the account was deleted. */
export async function updateProfile(ctx: Needs<'db'>, { user, ...profile }: { user: UserRow } & Profile) {
  const { firstName, lastName, quotaEmails, batchEmails } = profile;
  const values = {
    ...(firstName === undefined ? {} : { firstName: firstName || null }),
    ...(lastName === undefined ? {} : { lastName: lastName || null }),
    ...(quotaEmails === undefined ? {} : { quotaEmails }),
    ...(batchEmails === undefined ? {} : { batchEmails }),
  };
  if (Object.keys(values).length === 0) return user;
  const changed = await updateUser(ctx.db, user.id, values);
  if (!changed) throw new AppError('not_signed_in');
  return changed;
}

export type User = UserRow;
export type MonthCounts = Counts;

/** Counts an account's images and API calls in the current calendar month (UTC). */
export const countMonthlyUsage = (ctx: Needs<'db'>, { accountId }: { accountId: string }): Promise<MonthCounts> =>
  countThisMonth(ctx.db, accountId);
