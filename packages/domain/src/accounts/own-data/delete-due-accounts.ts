import type { Tx } from '@uprez/db/database';
import {
  deleteAccountRows,
  listDueAccounts,
  lockDueAccount,
  lockStayingAdmins,
} from '@uprez/db/queries/accounts/account-ends';
import { markObjectsOfAccount } from '@uprez/db/queries/jobs/objects';
import type { Needs } from '../../context.ts';
import { queueMail } from '../../mails/queue-mail.ts';

/**
 * Delete the accounts that are due for deletion, each in one transaction. Their rows are deleted at once and their files
 * are marked for deletion. A confirmed email address gets a mail. Workers that process a job of the account deliver
 * nothing. Returns how many. Safe to repeat.
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

/** False when the deletion was cancelled, is done already, or would delete the last administrator. */
async function deleteDueAccount(tx: Tx, userId: string): Promise<boolean> {
  const user = await lockDueAccount(tx, userId);
  if (!user) return false;
  if (user.isAdmin && (await lockStayingAdmins(tx)).length === 0) return false;
  await markObjectsOfAccount(tx, userId);
  await deleteAccountRows(tx, userId);
  if (user.emailVerified)
    await queueMail(tx, undefined, { mail: 'account_deleted', to: user.email, firstName: user.firstName });
  return true;
}
