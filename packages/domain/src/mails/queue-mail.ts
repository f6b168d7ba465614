import { limits } from '@uprez/contracts/policy/limits';
import type { Mail, MailName } from '@uprez/contracts/schemas/mails';
import type { DbOrTx } from '@uprez/db/database';
import { findUser } from '@uprez/db/queries/accounts/users';
import { countQueuedMails, insertOutbox } from '@uprez/db/queries/mails/outbox';
import { uuidv7 } from 'uuidv7';
import { goesUnconfirmed } from './mail-policy.ts';

/**
 * Queue an email, to be sent after the commit. Limited per kind; an unconfirmed address, which may be someone else's,
 * gets only confirmation emails. The caller locks the user, so that concurrent emails are counted.
 */
export async function queueMail(tx: DbOrTx, userId: string | undefined, mail: Mail): Promise<void> {
  const id = uuidv7();
  if (userId === undefined) return insertOutbox(tx, { id, kind: 'mail', payload: mail });
  if ((await countMails(tx, userId, mail.mail)).long >= limits.mailsOfKind) return;
  const user = await findUser(tx, userId);
  const isWithheld = !user?.emailVerified && !goesUnconfirmed(mail.mail);
  // Withheld emails are stored without their content, because these rows are counted.
  const rest = isWithheld
    ? { payload: { mail: mail.mail }, failure: 'the address was never confirmed' }
    : { payload: mail };
  await insertOutbox(tx, { id, kind: 'mail', userId, ...rest });
}

/** How many mails of a name an account had within the times that the limits name. */
export const countMails = (db: DbOrTx, userId: string, mail: MailName): Promise<{ short: number; long: number }> =>
  countQueuedMails(db, {
    userId,
    mail,
    shortS: limits.linkMailSeconds,
    longS: limits.mailsOfKindMinutes * 60,
  });
