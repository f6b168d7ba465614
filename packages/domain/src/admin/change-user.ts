import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import { type AdminUserRow, findAdminUser, setSuspension } from '@uprez/db/queries/accounts/admin-users';
import { deleteUserSessions } from '@uprez/db/queries/accounts/sessions';
import { clearTwoFactor, replaceRecoveryCodes } from '@uprez/db/queries/accounts/two-factor';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import { findLatestChange, insertAudit } from '@uprez/db/queries/audit/audit-log';
import { expediteSuspendedPurchases } from '@uprez/db/queries/billing/billing-calls';
import { findBatch } from '@uprez/db/queries/jobs/batches';
import { listSuspendedBatches, listSuspendedJobs } from '@uprez/db/queries/jobs/suspended-work';
import { requireOtherOwner } from '../accounts/require-owner.ts';
import { cancelWaitingItems } from '../batches/cancel-batch.ts';
import type { Needs } from '../context.ts';
import { cancelUntilFinal } from '../jobs/delete-job.ts';
import { queueMail } from '../mails/queue-mail.ts';
import {
  type Administrator,
  type LockedAdmin,
  lockActorAndUser,
  requireOtherAccount,
  requireRoleNotAbove,
  toAuditFields,
} from './administrator.ts';

/** `reason`: recorded in the audit log. */
export type AdminChange = { admin: Administrator; userId: string; reason?: string | undefined };
type UserChange = AdminChange & {
  action: string;
  fieldsOf: (user: UserRow) => Record<string, unknown>;
  /** The fields that the administrator saw. */
  expected?: Record<string, unknown> | undefined;
  change: (tx: Tx, user: UserRow, actor: LockedAdmin) => Promise<unknown>;
};

/**
 * Changes an account and records it in the audit log. Throws `role_above_own` for an administrator above the caller,
 * `user_changed` if the user doesn't match `expected`, and the errors of `lockActorAndUser`.
 */
export async function changeUser(
  ctx: Needs<'db'>,
  { admin, userId, action, reason, fieldsOf, expected, change }: UserChange,
): Promise<AdminUserRow> {
  return ctx.db.transaction().execute(async (tx) => {
    const { actor, user: before } = await lockActorAndUser(tx, admin, userId);
    requireRoleNotAbove(actor, before.role);
    await requireExpectedFields(tx, { user: before, action, expected, fields: fieldsOf(before) });
    await change(tx, before, actor);
    const after = await findAdminUser(tx, userId);
    if (!after) throw new AppError('user_not_found');
    const changed = diffFields(fieldsOf(before), fieldsOf(after));
    const about = { action, subject: `user:${before.id}`, reason };
    if (changed) await insertAudit(tx, { ...toAuditFields(admin), ...about, ...changed });
    return after;
  });
}

type Fields = Record<string, unknown>;

/** Returns the fields that differ, with their old and new values. Undefined if none differ. */
export function diffFields(before: Fields, after: Fields): { before: Fields; after: Fields } | undefined {
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  if (names.length === 0) return undefined;
  const only = (fields: Fields) => Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
  return { before: only(before), after: only(after) };
}

type ExpectedUser = { user: UserRow; action: string; expected: Fields | undefined; fields: Fields };

/**
 * Throws `user_changed` if the fields don't match `expected`. The error names who changed the user. Does nothing if
 * `expected` is undefined.
 */
async function requireExpectedFields(tx: Tx, { user, action, expected, fields }: ExpectedUser): Promise<void> {
  if (Object.entries(expected ?? {}).every(([name, value]) => isDeepStrictEqual(value, fields[name]))) return;
  const actions = action in oppositeActions ? Object.keys(oppositeActions) : [action];
  throw new AppError('user_changed', { meta: await findChangeAuthor(tx, { userId: user.id, actions, fields }) });
}

/** Actions that undo each other and change the same fields. */
const oppositeActions = { 'user.suspend': true, 'user.restore': true };

/**
 * Suspends or restores an account. Suspending it ends its sessions and cancels its unfinished jobs. If some jobs
 * remain, the dispatcher cancels them later. `expected`: whether the administrator saw the account as suspended. Throws
 * `own_account` (including for the last owner), `user_changed`, and the errors of `changeUser`.
 */
export async function changeSuspension(
  ctx: Needs<'db' | 'publisher'>,
  { admin, userId, suspended, expected, reason }: AdminChange & { suspended: boolean; expected: boolean },
): Promise<AdminUserRow> {
  if (suspended) requireOtherAccount(admin, userId);
  const changed = await changeUser(ctx, {
    admin,
    userId,
    action: suspended ? 'user.suspend' : 'user.restore',
    reason,
    fieldsOf: ({ suspendedAt, suspendedReason }) => ({ suspended: suspendedAt !== null, suspendedReason }),
    expected: { suspended: expected },
    change: async (tx, user) => {
      if (suspended) await requireOtherOwner(tx, user.id);
      await setSuspension(tx, user.id, suspended ? { reason: reason || user.suspendedReason } : undefined);
      if (suspended) await deleteUserSessions(tx, user.id);
    },
  });
  if (suspended) await cancelSuspendedWork(ctx, changed.id);
  return changed;
}

/**
 * Turns off two-factor authentication for a user who lost their codes, ends the user's sessions, and emails the user.
 * Throws `own_account`, because administrators need a code to turn it off for themselves. Also throws
 * `two_factor_state` and the errors of `changeUser`.
 */
export async function removeTwoFactor(ctx: Needs<'db'>, { admin, userId, reason }: AdminChange): Promise<AdminUserRow> {
  requireOtherAccount(admin, userId);
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

type UserFieldChange = { userId: string; actions: readonly string[]; fields: Record<string, unknown> };

/**
 * Returns which administrator set a user's current values, and when. Both are null if someone else set them, such as
 * the user or Stripe.
 */
export async function findChangeAuthor(tx: Tx, { userId, actions, fields }: UserFieldChange) {
  const last = await findLatestChange(tx, { subject: `user:${userId}`, actions });
  const after = (last?.after ?? {}) as Record<string, unknown>;
  const isPresent = Object.entries(after).every(([name, value]) => isDeepStrictEqual(value, fields[name] ?? null));
  return last?.email && isPresent
    ? { by: last.email, at: last.createdAt.toISOString() }
    : ({ by: null, at: null } as const);
}

/** Maximum number of batches, and of jobs, that one run cancels. The dispatcher repeats the run. */
const batchSize = 500;
const cancelReason = 'account_suspended';

/**
 * Cancels waiting batch items and unfinished jobs and releases their units. Does so for all suspended accounts, or only
 * for `accountId`. Also ends open purchases. Returns the number of batches plus the number of jobs. Safe to repeat.
 */
export async function cancelSuspendedWork(ctx: Needs<'db' | 'publisher'>, accountId?: string): Promise<number> {
  const batches = await listSuspendedBatches(ctx.db, { accountId, limit: batchSize });
  for (const id of batches) {
    const batch = await findBatch(ctx.db, id);
    if (batch) await ctx.db.transaction().execute((tx) => cancelWaitingItems(tx, batch, cancelReason));
  }
  // Cancels jobs after batches, because a batch item that was accepted in the meantime has become a job.
  const jobs = await listSuspendedJobs(ctx.db, { accountId, limit: batchSize });
  for (const jobId of jobs) await cancelUntilFinal(ctx, { jobId, why: cancelReason });
  await expediteSuspendedPurchases(ctx.db, accountId);
  return batches.length + jobs.length;
}
