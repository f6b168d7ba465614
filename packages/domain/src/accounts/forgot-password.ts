import { setTimeout as passes } from 'node:timers/promises';
import { deleteAccountTokens } from '@uprez/db/queries/accounts/account-tokens';
import { findUserByLogin, lockUser } from '@uprez/db/queries/accounts/users';
import type { Needs } from '../context.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { mayQueueLink } from './links.ts';

/** Duration of every request, ms: longer than a known address takes, so the time does not reveal accounts. */
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

/** Email a link that resets the password. Same result for unknown and suspended accounts. */
export async function forgotPassword(ctx: Needs<'db'>, email: string): Promise<void> {
  const answerTime = passes(answerMs);
  await queueReset(ctx, email);
  await answerTime;
}
