import { limits } from '@uprez/contracts/limits';
import type { MailName } from '@uprez/contracts/mails';
import type { Tx } from '@uprez/db/database';
import { countQueuedMails } from '@uprez/db/queries/queued-mails';

/** Whether an account may be sent another mail of this name, so that nobody floods a mailbox. Lock the user first. */
export async function mayQueueLink(tx: Tx, userId: string, mail: MailName): Promise<boolean> {
  const { short, long } = await countQueuedMails(tx, {
    userId,
    mail,
    shortS: limits.linkMailSeconds,
    longS: limits.linkMailsMinutes * 60,
  });
  return short === 0 && long < limits.linkMails;
}
