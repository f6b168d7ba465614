import type { Permission } from '@uprez/contracts/policy/admin/permissions';
import { useOwnUser } from './use-own-user.ts';

/** Whether the role of the signed-in administrator includes a permission. Actions without it are hidden. */
export const useMay = (permission: Permission): boolean => useOwnUser()?.permissions.includes(permission) ?? false;
