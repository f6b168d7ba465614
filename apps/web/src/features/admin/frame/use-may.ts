import { useQuery } from '@tanstack/react-query';
import type { Permission } from '@uprez/contracts/policy/permissions';
import type { User } from '@uprez/contracts/schemas/user';
import { userKey } from '../../../lib/api/queries.ts';

/** Whether the role of the signed-in administrator includes a permission. Actions without it are hidden. */
export function useMay(permission: Permission): boolean {
  const { data: user } = useQuery<User | null>({ queryKey: userKey });
  return user?.permissions.includes(permission) ?? false;
}
