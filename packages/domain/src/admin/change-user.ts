import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import {
  type AdminUserRow,
  findAdminUser,
  insertAudit,
  lockUsers,
  setSuspension,
} from '@uprez/db/queries/accounts/admin-users';
import { deleteUserSessions } from '@uprez/db/queries/accounts/sessions';
import { clearTwoFactor, replaceRecoveryCodes } from '@uprez/db/queries/accounts/two-factor';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import { isUuid } from '../actor.ts';
import type { Needs } from '../context.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { cancelSuspended } from './cancel-suspended.ts';

export type Administrator = { accountId: string; address: string | undefined };
/** `reason`: for the audit trail. */
export type AdminChange = { admin: Administrator; userId: string; reason?: string | undefined };
type UserChange = AdminChange & {
  action: string;
  /** The audited fields of a row. */
  fieldsOf: (user: UserRow) => Record<string, unknown>;
  change: (tx: Tx, user: UserRow) => Promise<unknown>;
};

/** Change an account and record it in the audit trail. Throws the errors of `lockForAdmin`. */
export async function changeUser(
  ctx: Needs<'db'>,
  { admin, userId, action, reason, fieldsOf, change }: UserChange,
): Promise<AdminUserRow> {
  return ctx.db.transaction().execute(async (tx) => {
    const before = await lockForAdmin(tx, admin, userId);
    await change(tx, before);
    const after = await findAdminUser(tx, userId);
    if (!after) throw new AppError('user_not_found');
    const changed = changedFields(fieldsOf(before), fieldsOf(after));
    const { accountId: actorId, address } = admin;
    if (changed) await insertAudit(tx, { actorId, address, action, subject: `user:${before.id}`, reason, ...changed });
    return after;
  });
}

/**
 * Lock the accounts of an administrator and a user, so that administrators take turns; returns the user. Throws
 * `user_not_found` and the errors of `requireActiveAdmin`.
 */
export async function lockForAdmin(tx: Tx, admin: Administrator, userId: string): Promise<UserRow> {
  if (!isUuid(userId)) throw new AppError('user_not_found');
  const held = await lockUsers(tx, [admin.accountId, userId]);
  requireActiveAdmin(held.find(({ id }) => id === admin.accountId));
  const user = held.find(({ id }) => id === userId.toLowerCase());
  if (!user) throw new AppError('user_not_found');
  return user;
}

/** Check the locked row of an administrator. Throws `not_signed_in` or `admin_only`. */
export function requireActiveAdmin(row: UserRow | undefined): void {
  if (!row || row.suspendedAt) throw new AppError('not_signed_in');
  if (row.role === null) throw new AppError('admin_only');
}

type Fields = Record<string, unknown>;

/** The fields that differ, as they were and as they are; undefined when none does. */
export function changedFields(before: Fields, after: Fields): { before: Fields; after: Fields } | undefined {
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  if (names.length === 0) return undefined;
  const only = (fields: Fields) => Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
  return { before: only(before), after: only(after) };
}

/**
 * Suspend an account, which ends its sessions and cancels its unfinished jobs, or restore it. The dispatcher cancels what
 * this call leaves. Throws `own_account`, so that one administrator always remains, or `user_not_found`.
 */
export async function suspendUser(
  ctx: Needs<'db' | 'publisher'>,
  { admin, userId, suspended, reason }: AdminChange & { suspended: boolean },
): Promise<AdminUserRow> {
  if (suspended && userId.toLowerCase() === admin.accountId) throw new AppError('own_account');
  const changed = await changeUser(ctx, {
    admin,
    userId,
    action: suspended ? 'user.suspend' : 'user.restore',
    reason,
    fieldsOf: ({ suspendedAt, suspendedReason }) => ({ suspended: suspendedAt !== null, suspendedReason }),
    change: async (tx, user) => {
      await setSuspension(tx, user.id, suspended ? { reason: reason || user.suspendedReason } : undefined);
      if (suspended) await deleteUserSessions(tx, user.id);
    },
  });
  if (suspended) await cancelSuspended(ctx, changed.id);
  return changed;
}

/**
 * Turn off two-factor for a user who lost their codes, end the sessions, and email the user. Throws `own_account`,
 * because administrators need a code for themselves, `user_not_found`, or `two_factor_state`.
 */
export async function removeTwoFactor(ctx: Needs<'db'>, { admin, userId, reason }: AdminChange): Promise<AdminUserRow> {
  if (userId.toLowerCase() === admin.accountId) throw new AppError('own_account');
  return changeUser(ctx, {
    admin,
    userId,
    action: 'user.two_factor_off',
    reason,
    fieldsOf: ({ twoFactorAt }) => ({ twoFactorEnabled: twoFactorAt !== null }),
    change: async (tx, user) => {
      const at = await clearTwoFactor(tx, user.id);
      if (!at) throw new AppError('two_factor_state');
      await replaceRecoveryCodes(tx, user.id, []);
      await deleteUserSessions(tx, user.id);
      await queueMail(tx, user.id, { mail: 'two_factor_changed', isOn: false, at: at.toISOString() });
    },
  });
}
