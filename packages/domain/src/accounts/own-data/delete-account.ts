import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { Tx } from '@uprez/db/database';
import { clearAccessOfUser } from '@uprez/db/queries/access/access-events';
import { lockUsersAndOwners } from '@uprez/db/queries/accounts/admin-users';
import { deleteCorrespondence, listTicketsOfPerson } from '@uprez/db/queries/accounts/delete-correspondence';
import type { SessionUser } from '@uprez/db/queries/accounts/sessions';
import {
  clearAccountDeletion,
  deleteAccountRows,
  findUser,
  listDueAccounts,
  lockActiveOwners,
  lockDueAccount,
  scheduleAccountDeletion,
  type UserRow,
} from '@uprez/db/queries/accounts/users';
import { keepDeletedAccountCohorts } from '@uprez/db/queries/analytics/cohorts';
import { keepDeletedAccountMrr } from '@uprez/db/queries/analytics/mrr';
import { keepDeletedAccountJobs } from '@uprez/db/queries/analytics/roll-up-jobs';
import { keepDeletedAccountDays } from '@uprez/db/queries/analytics/sources';
import { shareLockRollUp } from '@uprez/db/queries/analytics/state';
import { listSubscriptionsToResume } from '@uprez/db/queries/billing/plan-facts';
import { deleteTickets } from '@uprez/db/queries/inbox/tickets';
import { markAccountObjectsForDeletion } from '@uprez/db/queries/jobs/objects';
import type { Needs } from '../../context.ts';
import { queueMail } from '../../mails/queue-mail.ts';
import { type OwnerProof, proveOwner } from '../prove-owner.ts';
import { requireOtherOwner } from '../require-owner.ts';
import { endOtherSessions } from '../sessions.ts';

/**
 * Schedules an account for deletion and signs out other devices. Throws `own_account` for the last owner, and the
 * errors of `proveOwner`.
 */
export async function deleteAccount(
  ctx: Needs<'db' | 'vault' | 'settings'>,
  { user, ...proof }: { user: SessionUser } & OwnerProof,
) {
  await proveOwner(ctx, { user, ...proof });
  return ctx.db.transaction().execute(async (tx) => {
    // Uses the same lock order as administrators' changes.
    await lockUsersAndOwners(tx, [user.id]);
    await requireOtherOwner(tx, user.id);
    const sessionSecret = await endOtherSessions(tx, user);
    const deletesAt = await scheduleAccountDeletion(tx, user.id, limits.deletionDays * 86_400);
    if (deletesAt) {
      await queueMail(tx, user.id, { mail: 'deletion_asked', deletesAt: deletesAt.toISOString() });
      return { deletesAt, sessionSecret };
    }
    const known = await findUser(tx, user.id);
    if (!known?.deletesAt) throw new AppError('not_signed_in');
    return { deletesAt: known.deletesAt, sessionSecret };
  });
}

type CanceledDeletion = { kept: UserRow; isPlanEnding: boolean };

/**
 * Cancels a scheduled deletion, if any. `isPlanEnding`: whether scheduling the deletion canceled a plan, which
 * `keepStaying` can renew. Throws `not_signed_in` if the account was deleted.
 */
export async function cancelAccountDeletion(
  ctx: Needs<'db'>,
  { user }: { user: Pick<UserRow, 'id'> },
): Promise<CanceledDeletion> {
  const kept = await clearAccountDeletion(ctx.db, user.id);
  if (!kept) throw new AppError('not_signed_in');
  return { kept, isPlanEnding: (await listSubscriptionsToResume(ctx.db, user.id)).length > 0 };
}

/**
 * Deletes the accounts that are due and marks their files for deletion. Returns the number of deleted accounts. Safe to
 * repeat.
 */
export async function deleteDueAccounts(ctx: Needs<'db' | 'log'>): Promise<number> {
  let deleted = 0;
  for (const userId of await listDueAccounts(ctx.db)) {
    if (!(await ctx.db.transaction().execute((tx) => deleteDueAccount(tx, userId)))) continue;
    ctx.log.info({ userId }, 'account deleted');
    deleted += 1;
  }
  return deleted;
}

/** Returns false if the deletion was canceled, is already done, or would remove the last owner. */
async function deleteDueAccount(tx: Tx, userId: string): Promise<boolean> {
  const user = await lockDueAccount(tx, userId);
  if (!user) return false;
  if (user.role === 'owner' && (await lockActiveOwners(tx)).length === 0) return false;
  await markAccountObjectsForDeletion(tx, userId);
  // An unconfirmed address may belong to someone else.
  const person = { accountId: userId, email: user.emailVerified ? user.email : undefined };
  await deleteTickets(tx, await listTicketsOfPerson(tx, person));
  await deleteCorrespondence(tx, person);
  await clearAccessOfUser(tx, userId);
  await keepDeletedAccountCounts(tx, userId);
  await deleteAccountRows(tx, userId);
  if (user.emailVerified)
    await queueMail(tx, undefined, { mail: 'account_deleted', to: user.email, firstName: user.firstName });
  return true;
}

/**
 * Keeps an account's analytics for the days that aren't final yet, without the account's ID. Must run before the
 * account's rows are deleted.
 */
async function keepDeletedAccountCounts(tx: Tx, accountId: string): Promise<void> {
  await shareLockRollUp(tx);
  await keepDeletedAccountJobs(tx, accountId);
  await keepDeletedAccountDays(tx, accountId);
  await keepDeletedAccountCohorts(tx, accountId);
  await keepDeletedAccountMrr(tx, accountId);
}
