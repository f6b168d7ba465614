import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { AdminUser } from '@uprez/contracts/schemas/admin/users';

/** Starts with the list's key, so invalidating the list also refetches the user. */
export const userKeyOf = (id: string, ...parts: string[]) =>
  [adminRoutes.adminListUsers.path, encodeURIComponent(id), ...parts] as const;

export const statsKey = [adminRoutes.adminStats.path] as const;

/** Query keys to invalidate after a change to a user. */
export const changedKeys = [[adminRoutes.adminListUsers.path], [adminRoutes.adminListStaff.path], statsKey] as const;

export const useAdminUser = (id: string) => useQuery<AdminUser>({ queryKey: userKeyOf(id), refetchOnMount: 'always' });

/**
 * Returns a user from the list. Loads a user who is no longer listed, for example because the filter excludes them
 * after a change.
 */
export function useListedUser(listed: readonly AdminUser[], asked: AdminUser | undefined): AdminUser | undefined {
  const found = listed.find(({ id }) => id === asked?.id);
  const enabled = asked !== undefined && found === undefined;
  const { data } = useQuery<AdminUser>({ queryKey: userKeyOf(asked?.id ?? ''), enabled });
  return found ?? data ?? asked;
}
