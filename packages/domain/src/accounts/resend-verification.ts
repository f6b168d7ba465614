import { answers } from '@uprez/contracts/texts/answers';
import { lockUser } from '@uprez/db/queries/accounts/users';
import type { Needs } from '../context.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { mayQueueLink } from './links.ts';

/** Send the confirmation link again, at most once a minute. Returns the message for the user. */
export function resendVerification(ctx: Needs<'db'>, userId: string): Promise<string> {
  return ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user?.emailVerified) return answers.emailAlreadyConfirmed;
    if (user && (await mayQueueLink(tx, userId, 'verify_email'))) await queueMail(tx, userId, { mail: 'verify_email' });
    return answers.verificationSent;
  });
}
