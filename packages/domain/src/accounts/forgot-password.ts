import { setTimeout as passes } from 'node:timers/promises';
import { deleteAccountTokens } from '@uprez/db/queries/accounts/account-tokens';
import { findUserByLogin, lockUser } from '@uprez/db/queries/accounts/users';
import type { Needs } from '../context.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { mayQueueLink } from './links.ts';

/**
 * How long every request takes, ms. Locking, counting and writing for a known address cost some milliseconds more than
 * finding nothing; under a time that is longer than either, the difference does not show, and nothing is lost if the
 * process ends after the answer.
 */
const answerMs = 250;

async function queueReset(ctx: Needs<'db'>, email: string): Promise<void> {
  const found = await findUserByLogin(ctx.db, email);
  if (!found) return;
  await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, found.id);
    if (!user || user.suspendedAt !== null || !(await mayQueueLink(tx, user.id, 'reset_password'))) return;
    await deleteAccountTokens(tx, user.id, ['reset']);
    await queueMail(tx, user.id, { mail: 'reset_password' });
  });
}

/**
 * Have a link sent that resets the password of the account with this address, and end the earlier ones. Whether there
 * is one, is suspended or asks too often: nobody sees a difference.
 */
export async function forgotPassword(ctx: Needs<'db'>, email: string): Promise<void> {
  const answerTime = passes(answerMs);
  await queueReset(ctx, email);
  await answerTime;
}
