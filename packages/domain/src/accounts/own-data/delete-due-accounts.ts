import type { Tx } from '@uprez/db/database';
import {
  deleteAccountRows,
  listDueAccounts,
  lockDueAccount,
  lockStayingAdmins,
} from '@uprez/db/queries/accounts/account-ends';
import { giveUpObjectsOfAccount } from '@uprez/db/queries/jobs/objects';
import type { Needs } from '../../context.ts';
import { queueMail } from '../../mails/queue-mail.ts';

/**
 * Delete the accounts whose time is over, each in one transaction: their files go to the deleting sweep, their rows go at
 * once, and a mail to the former address says so where that was ever confirmed. A worker that is at one of the jobs finds
 * no row any more and delivers nothing. Answers how many. Safe to repeat and to run anywhere.
 */
export async function deleteDueAccounts(ctx: Needs<'db' | 'log'>): Promise<number> {
  let deleted = 0;
  for (const userId of await listDueAccounts(ctx.db)) {
    if (!(await ctx.db.transaction().execute((tx) => deleteDueAccount(tx, userId)))) continue;
    ctx.log.info({ userId }, 'an account was deleted');
    deleted += 1;
  }
  return deleted;
}

/** False: it was kept, or somebody else was first, or nobody would be left to run the site. */
async function deleteDueAccount(tx: Tx, userId: string): Promise<boolean> {
  const user = await lockDueAccount(tx, userId);
  if (!user) return false;
  if (user.isAdmin && (await lockStayingAdmins(tx)).length === 0) return false;
  await giveUpObjectsOfAccount(tx, userId);
  await deleteAccountRows(tx, userId);
  if (user.emailVerified)
    await queueMail(tx, undefined, { mail: 'account_deleted', to: user.email, firstName: user.firstName });
  return true;
}
