import { permissionsOf } from '@uprez/contracts/policy/admin/permissions';
import type { User } from '@uprez/contracts/schemas/user';
import type { SignedInUser } from '@uprez/domain/accounts/sessions';
import { findPendingTerms, type PendingTerms } from '@uprez/domain/accounts/terms';
import { type User as Account, countMonthlyUsage, type MonthCounts } from '@uprez/domain/accounts/update-profile';
import type { Deps } from '../../deps.ts';

/** Presents a user for responses, with this month's counts and the terms that the user has yet to accept. */
export const presentUser = async (deps: Pick<Deps, 'db' | 'terms'>, user: Account): Promise<User> => ({
  ...(await presentUserWithUsage(deps, user)),
  ...presentTerms(findPendingTerms(await deps.terms.read(), user)),
});

const presentUserWithUsage = async (deps: Pick<Deps, 'db'>, user: Account): Promise<User> =>
  presentUserWithCounts(user, await countMonthlyUsage(deps, { accountId: user.id }));

const presentTerms = (pending: PendingTerms | undefined): Pick<User, 'pendingTerms'> =>
  pending ? { pendingTerms: { ...pending, effectiveAt: pending.effectiveAt.toISOString() } } : {};

/** Presents the user of a session, with the administrator who is viewing the account, if any. */
export async function presentViewedUser(
  deps: Pick<Deps, 'db' | 'terms'>,
  { view, ...user }: SignedInUser,
): Promise<User> {
  if (!view || view === 'ended') return presentUser(deps, user);
  return {
    ...(await presentUserWithUsage(deps, user)),
    viewedBy: { id: view.adminId, email: view.adminEmail, until: view.endsAt.toISOString() },
  };
}

/** Presents a user with this month's counts, which the caller has already read. */
export function presentUserWithCounts(user: Account, { imagesThisMonth, apiCallsThisMonth }: MonthCounts): User {
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
