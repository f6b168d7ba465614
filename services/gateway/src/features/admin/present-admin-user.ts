import type { AdminUser } from '@uprez/contracts/schemas/admin';
import type { AdminUserRow } from '@uprez/db/queries/accounts/admin-users';
import { presentCounted } from '../accounts/present-user.ts';

/** A user as administrators see it. */
export const presentAdminUser = (user: AdminUserRow): AdminUser => ({
  ...presentCounted(user, user),
  suspendedAt: user.suspended_at?.toISOString() ?? null,
  suspendedReason: user.suspended_reason,
  lastSeenAt: user.lastSeenAt?.toISOString() ?? null,
  subscriptionEndsAt: user.tier_until?.toISOString() ?? null,
  subscriptionReason: user.tier_reason,
});
