import { permissionsOf } from '@uprez/contracts/policy/permissions';
import type { User } from '@uprez/contracts/schemas/user';
import type { SignedInUser } from '@uprez/domain/accounts/sessions';
import { type User as Account, countMonth, type MonthCounts } from '@uprez/domain/accounts/update-profile';
import type { Deps } from '../../deps.ts';

/** A user in responses, with the counters of this month. */
export const presentUser = async (deps: Pick<Deps, 'db'>, user: Account): Promise<User> =>
  presentCounted(user, await countMonth(deps, { accountId: user.id }));

/** The user of a session, with the administrator who views the account, if any. */
export async function presentViewedUser(deps: Pick<Deps, 'db'>, { view, ...user }: SignedInUser): Promise<User> {
  const presented = await presentUser(deps, user);
  if (!view || view === 'ended') return presented;
  return { ...presented, viewedBy: { id: view.adminId, email: view.adminEmail, until: view.endsAt.toISOString() } };
}

/** A user whose images of this month are already counted. */
export function presentCounted(user: Account, { imagesThisMonth, apiCallsThisMonth }: MonthCounts): User {
  return {
    id: user.id,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    isAdmin: user.role !== null,
    role: user.role,
    permissions: permissionsOf(user.role),
    subscriptionTier: user.tier,
    planVersion: user.planVersion,
    imagesProcessedThisMonth: imagesThisMonth,
    apiCallsThisMonth,
    createdAt: user.createdAt.toISOString(),
    emailVerified: user.emailVerified,
    username: user.username,
    twoFactorEnabled: user.twoFactorAt !== null,
    quotaEmails: user.quotaEmails,
    batchEmails: user.batchEmails,
    deletesAt: user.deletesAt?.toISOString() ?? null,
  };
}
