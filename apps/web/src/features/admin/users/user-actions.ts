import { ApiError } from '@uprez/client/api-error';
import { isRoleAbove } from '@uprez/contracts/policy/admin/permissions';
import type { AdminUser } from '@uprez/contracts/schemas/admin/users';
import type { User } from '@uprez/contracts/schemas/user';
import { BadgeCheck, Ban, Gift, LogOut, type LucideIcon, MailCheck, RotateCcw, ShieldOff, UserCog } from 'lucide-react';
import { ShownError } from '../../../lib/api/api-errors.ts';
import { formatDateTime } from '../../../lib/format/format.ts';
import { adminMessages } from '../messages.ts';

export const userActions = [
  'tier',
  'grant',
  'role',
  'verify',
  'sign_out',
  'two_factor_off',
  'suspend',
  'restore',
] as const;
export type UserAction = (typeof userActions)[number];

export const actionIcons: Record<UserAction, LucideIcon> = {
  tier: BadgeCheck,
  grant: Gift,
  role: UserCog,
  verify: MailCheck,
  sign_out: LogOut,
  two_factor_off: ShieldOff,
  suspend: Ban,
  restore: RotateCcw,
};
/** Actions that take something from the user. */
export const dangerousActions: readonly UserAction[] = ['sign_out', 'two_factor_off', 'suspend'];

type Subject = Pick<AdminUser, 'id' | 'role' | 'suspendedAt' | 'emailVerified' | 'twoFactorEnabled'>;

/** Returns the actions that the administrator may take and that the user's state allows. */
export function listActions(by: Pick<User, 'id' | 'role' | 'permissions'>, user: Subject): UserAction[] {
  const isInReach = !isRoleAbove(user.role, by.role);
  const mayManage = by.permissions.includes('users.manage') && isInReach;
  const isOther = by.id !== user.id;
  const isAllowed: Record<UserAction, boolean> = {
    tier: mayManage && isOther,
    grant: by.permissions.includes('grants.create') && isInReach && isOther,
    role: by.permissions.includes('roles.manage') && isInReach && isOther,
    verify: mayManage && !user.emailVerified,
    sign_out: mayManage && isOther,
    two_factor_off: mayManage && isOther && user.twoFactorEnabled,
    suspend: mayManage && isOther && user.suspendedAt === null,
    restore: mayManage && isOther && user.suspendedAt !== null,
  };
  return userActions.filter((action) => isAllowed[action]);
}

/**
 * Awaits a call. If it fails because another administrator has changed the user, throws a ShownError that says who made
 * the change and when.
 */
export async function nameAuthor<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    const { by, at } = (error instanceof ApiError ? error.meta : undefined) ?? {};
    if (typeof by !== 'string' || typeof at !== 'string') throw error;
    throw new ShownError(adminMessages.changedBy(by, formatDateTime(at)));
  }
}
