import { limits } from '@uprez/contracts/policy/limits';
import type { MailName } from '@uprez/contracts/schemas/mails';
import type { Tx } from '@uprez/db/database';
import { countMails } from '../../mails/count-mails.ts';

/** Whether an account may be sent another mail of this name, so that nobody floods a mailbox. Lock the user first. */
export async function mayQueueLink(tx: Tx, userId: string, mail: MailName): Promise<boolean> {
  const { short, long } = await countMails(tx, userId, mail);
  return short === 0 && long < limits.mailsOfKind;
}
