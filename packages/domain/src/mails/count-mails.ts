import { limits } from '@uprez/contracts/policy/limits';
import type { MailName } from '@uprez/contracts/schemas/mails';
import type { DbOrTx } from '@uprez/db/database';
import { countQueuedMails } from '@uprez/db/queries/mails/queued-mails';

/** How many mails of a name an account had within the times that the limits name. */
export const countMails = (db: DbOrTx, userId: string, mail: MailName): Promise<{ short: number; long: number }> =>
  countQueuedMails(db, {
    userId,
    mail,
    shortS: limits.linkMailSeconds,
    longS: limits.mailsOfKindMinutes * 60,
  });
