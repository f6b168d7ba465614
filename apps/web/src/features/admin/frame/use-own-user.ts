import { useQuery } from '@tanstack/react-query';
import type { Permission } from '@uprez/contracts/policy/admin/permissions';
import type { User } from '@uprez/contracts/schemas/user';
import { userKey } from '../../../lib/api/queries.ts';

/** The signed-in administrator. */
export const useOwnUser = () => useQuery<User | null>({ queryKey: userKey }).data ?? undefined;

/** Whether the role of the signed-in administrator includes a permission. Actions without it are hidden. */
export const useHasPermission = (permission: Permission): boolean =>
  useOwnUser()?.permissions.includes(permission) ?? false;
