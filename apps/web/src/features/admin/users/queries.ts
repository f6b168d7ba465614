import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { AdminUser } from '@uprez/contracts/schemas/admin/users';

/**
 * Query key of a user or of a part of the user's data, such as `usage`. Starts with the list's key, so invalidating the
 * list refetches both.
 */
export const userKeyOf = (id: string, ...parts: string[]) =>
  [adminRoutes.adminListUsers.path, encodeURIComponent(id), ...parts] as const;

/** The query key of the totals of the site. */
export const statsKey = [adminRoutes.adminStats.path] as const;

/** Query keys affected by a change to a user. */
export const changedKeys = [[adminRoutes.adminListUsers.path], [adminRoutes.adminListStaff.path], statsKey] as const;

export const useAdminUser = (id: string) => useQuery<AdminUser>({ queryKey: userKeyOf(id), refetchOnMount: 'always' });

/**
 * Returns a user from the list, or loads the user if they are no longer listed, such as after a change that the filter
 * excludes.
 */
export function useListedUser(listed: readonly AdminUser[], asked: AdminUser | undefined): AdminUser | undefined {
  const found = listed.find(({ id }) => id === asked?.id);
  const enabled = asked !== undefined && found === undefined;
  const { data } = useQuery<AdminUser>({ queryKey: userKeyOf(asked?.id ?? ''), enabled });
  return found ?? data ?? asked;
}
