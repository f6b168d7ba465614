import type { User } from '@uprez/contracts/schemas/user';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import { countThisMonth, type MonthCounts } from '@uprez/db/queries/jobs/jobs';
import type { Deps } from '../../deps.ts';

/** A user as the web sees it, with this month's counters read from the jobs. */
export const presentUser = async (deps: Pick<Deps, 'db'>, user: UserRow): Promise<User> =>
  presentCounted(user, await countThisMonth(deps.db, user.id));

/** The same, of a user whose images of this month are counted already. */
export function presentCounted(user: UserRow, { imagesThisMonth, apiCallsThisMonth }: MonthCounts): User {
  return {
    id: user.id,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    isAdmin: user.isAdmin,
    subscriptionTier: user.tier,
    imagesProcessedThisMonth: imagesThisMonth,
    apiCallsThisMonth,
    createdAt: user.createdAt.toISOString(),
    emailVerified: user.emailVerified,
    username: user.username,
    twoFactorEnabled: user.twoFactorAt !== null,
    deletesAt: user.deletesAt?.toISOString() ?? null,
  };
}
