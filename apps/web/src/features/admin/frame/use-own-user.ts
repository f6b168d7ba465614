import { useQuery } from '@tanstack/react-query';
import type { Permission } from '@uprez/contracts/policy/admin/permissions';
import type { User } from '@uprez/contracts/schemas/user';
import { userKey } from '../../../lib/api/queries.ts';

/** Returns the signed-in administrator. Undefined if nobody is signed in or the user hasn't loaded. */
export const useOwnUser = () => useQuery<User | null>({ queryKey: userKey }).data ?? undefined;

/**
 * Whether the signed-in administrator's role includes a permission. Actions that require a missing permission are
 * hidden.
 */
export const useHasPermission = (permission: Permission): boolean =>
  useOwnUser()?.permissions.includes(permission) ?? false;
