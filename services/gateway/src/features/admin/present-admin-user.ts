import type { AdminUser } from '@uprez/contracts/schemas/admin';
import type { ListedUser } from '@uprez/domain/admin/list-users';
import { presentCounted } from '../accounts/present-user.ts';

/** A user as administrators see it. */
export const presentAdminUser = (user: ListedUser): AdminUser => ({
  ...presentCounted(user, user),
  suspendedAt: user.suspendedAt?.toISOString() ?? null,
  suspendedReason: user.suspendedReason,
  lastSeenAt: user.lastSeenAt?.toISOString() ?? null,
  subscriptionEndsAt: user.tierUntil?.toISOString() ?? null,
  subscriptionReason: user.tierReason,
});
