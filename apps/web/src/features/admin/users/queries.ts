import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { AdminUser } from '@uprez/contracts/schemas/admin/users';

/** The query key of a user or of a part of it, such as `usage`. Begins like that of the list, which refetches both. */
export const userKeyOf = (id: string, ...parts: string[]) =>
  [adminRoutes.adminListUsers.path, encodeURIComponent(id), ...parts] as const;

/** The query key of the totals of the site. */
export const statsKey = [adminRoutes.adminStats.path] as const;

/** What a change of a user affects. */
export const changedKeys = [[adminRoutes.adminListUsers.path], [adminRoutes.adminListStaff.path], statsKey] as const;

export const useAdminUser = (id: string) => useQuery<AdminUser>({ queryKey: userKeyOf(id), refetchOnMount: 'always' });

/** A user as listed, or as it is now if it isn't listed any longer, such as after a change that the filter excludes. */
export function useListedUser(listed: readonly AdminUser[], asked: AdminUser | undefined): AdminUser | undefined {
  const found = listed.find(({ id }) => id === asked?.id);
  const enabled = asked !== undefined && found === undefined;
  const { data } = useQuery<AdminUser>({ queryKey: userKeyOf(asked?.id ?? ''), enabled });
  return found ?? data ?? asked;
}
