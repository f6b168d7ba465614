import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { Tx } from '@uprez/db/database';
import { clearAccessOf } from '@uprez/db/queries/access/access-events';
import { lockUsersAndOwners } from '@uprez/db/queries/accounts/admin-users';
import { deleteCorrespondence, listTicketsOfPerson } from '@uprez/db/queries/accounts/delete-correspondence';
import type { SessionUser } from '@uprez/db/queries/accounts/sessions';
import {
  clearAccountEnd,
  deleteAccountRows,
  findUser,
  listDueAccounts,
  lockDueAccount,
  lockStayingOwners,
  setAccountEnd,
  type UserRow,
} from '@uprez/db/queries/accounts/users';
import { keepCohortsOfDeleted } from '@uprez/db/queries/analytics/cohorts';
import { keepMrrOfDeleted } from '@uprez/db/queries/analytics/mrr';
import { keepJobsOfDeleted } from '@uprez/db/queries/analytics/roll-up-jobs';
import { keepDaysOfDeleted } from '@uprez/db/queries/analytics/sources';
import { shareRollUp } from '@uprez/db/queries/analytics/state';
import { listKeptSubscriptions } from '@uprez/db/queries/billing/plan-facts';
import { deleteTickets } from '@uprez/db/queries/inbox/tickets';
import { markObjectsOfAccount } from '@uprez/db/queries/jobs/objects';
import type { Needs } from '../../context.ts';
import { queueMail } from '../../mails/queue-mail.ts';
import { type OwnerProof, proveOwner } from '../prove-owner.ts';
import { requireOwnerBeside } from '../require-owner.ts';
import { endOtherSessions } from '../sessions.ts';

/**
 * Schedules an account's deletion and signs out other devices. Throws `own_account` for the last owner, and the errors
 * of `proveOwner`.
 */
export async function deleteAccount(
  ctx: Needs<'db' | 'vault' | 'settings'>,
  { user, ...proof }: { user: SessionUser } & OwnerProof,
) {
  await proveOwner(ctx, { user, ...proof });
  return ctx.db.transaction().execute(async (tx) => {
    // Locks rows in the order in which administrators do.
    await lockUsersAndOwners(tx, [user.id]);
    await requireOwnerBeside(tx, user.id);
    const sessionSecret = await endOtherSessions(tx, user);
    const deletesAt = await setAccountEnd(tx, user.id, limits.deletionDays * 86_400);
    if (deletesAt) {
      await queueMail(tx, user.id, { mail: 'deletion_asked', deletesAt: deletesAt.toISOString() });
      return { deletesAt, sessionSecret };
    }
    const known = await findUser(tx, user.id);
    if (!known?.deletesAt) throw new AppError('not_signed_in');
    return { deletesAt: known.deletesAt, sessionSecret };
  });
}

type KeptAccount = { kept: UserRow; isPlanEnding: boolean };

/**
 * Cancels a scheduled deletion, if any. `isPlanEnding`: whether the deletion had canceled a plan, which `keepStaying`
 * renews. Throws `not_signed_in` if the account was deleted.
 */
export async function keepAccount(ctx: Needs<'db'>, { user }: { user: Pick<UserRow, 'id'> }): Promise<KeptAccount> {
  const kept = await clearAccountEnd(ctx.db, user.id);
  if (!kept) throw new AppError('not_signed_in');
  return { kept, isPlanEnding: (await listKeptSubscriptions(ctx.db, user.id)).length > 0 };
}

/** Deletes due accounts and marks their files for deletion. Returns the number of deleted accounts. Safe to repeat. */
export async function deleteDueAccounts(ctx: Needs<'db' | 'log'>): Promise<number> {
  let deleted = 0;
  for (const userId of await listDueAccounts(ctx.db)) {
    if (!(await ctx.db.transaction().execute((tx) => deleteDueAccount(tx, userId)))) continue;
    ctx.log.info({ userId }, 'account deleted');
    deleted += 1;
  }
  return deleted;
}

/** Returns false if the deletion was canceled, is already done, or would delete the last owner. */
async function deleteDueAccount(tx: Tx, userId: string): Promise<boolean> {
  const user = await lockDueAccount(tx, userId);
  if (!user) return false;
  if (user.role === 'owner' && (await lockStayingOwners(tx)).length === 0) return false;
  await markObjectsOfAccount(tx, userId);
  // An unconfirmed address may belong to someone else.
  const person = { accountId: userId, email: user.emailVerified ? user.email : undefined };
  await deleteTickets(tx, await listTicketsOfPerson(tx, person));
  await deleteCorrespondence(tx, person);
  await clearAccessOf(tx, userId);
  await keepDeletedAccount(tx, userId);
  await deleteAccountRows(tx, userId);
  if (user.emailVerified)
    await queueMail(tx, undefined, { mail: 'account_deleted', to: user.email, firstName: user.firstName });
  return true;
}

/**
 * Keeps an account's numbers for the days that aren't final, without its ID. Must run before the account's rows are
 * deleted.
 */
async function keepDeletedAccount(tx: Tx, accountId: string): Promise<void> {
  await shareRollUp(tx);
  await keepJobsOfDeleted(tx, accountId);
  await keepDaysOfDeleted(tx, accountId);
  await keepCohortsOfDeleted(tx, accountId);
  await keepMrrOfDeleted(tx, accountId);
}
