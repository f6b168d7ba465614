import { limits } from '@uprez/contracts/policy/limits';
import type { MailName } from '@uprez/contracts/schemas/mails';
import type { Tx } from '@uprez/db/database';
import { deleteAccountTokens } from '@uprez/db/queries/accounts/account-tokens';
import { deleteWaitingMails } from '@uprez/db/queries/mails/queued-mails';
import { countMails } from '../mails/queue-mail.ts';

/** Whether an account may be sent another mail of this name, so that nobody floods a mailbox. Lock the user first. */
export async function mayQueueLink(tx: Tx, userId: string, mail: MailName): Promise<boolean> {
  const { short, long } = await countMails(tx, userId, mail);
  return short === 0 && long < limits.mailsOfKind;
}

/**
 * Make every link worthless that could take the account over: those that were sent, and those in mails that still wait
 * (a server that puts a mail off for hours must not get a link made after the owner acted). Links that only confirm an
 * address stay.
 */
export async function revokeLinks(tx: Tx, userId: string): Promise<void> {
  await deleteAccountTokens(tx, userId, ['reset', 'change_email']);
  await deleteWaitingMails(tx, userId, ['reset_password', 'confirm_new_email']);
}
