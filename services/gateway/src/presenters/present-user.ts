import type { User } from '@uprez/contracts/user';
import { countCompletedThisMonth } from '@uprez/db/queries/jobs';
import type { UserRow } from '@uprez/db/queries/users';
import type { Deps } from '../deps.ts';

/** A user as the web sees it, with this month's counters read from the jobs. */
export async function presentUser(deps: Pick<Deps, 'db'>, user: UserRow): Promise<User> {
  return {
    id: user.id,
    email: user.email,
    firstName: user.first_name,
    lastName: user.last_name,
    isAdmin: user.is_admin,
    subscriptionTier: user.tier,
    imagesProcessedThisMonth: await countCompletedThisMonth(deps.db, user.id),
    apiCallsThisMonth: 0,
    createdAt: user.created_at.toISOString(),
    emailVerified: user.email_verified,
    username: user.username,
    twoFactorEnabled: user.two_factor_at !== null,
    deletesAt: user.deletes_at?.toISOString() ?? null,
  };
}
