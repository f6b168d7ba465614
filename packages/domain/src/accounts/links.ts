import { limits } from '@uprez/contracts/policy/limits';
import type { MailName } from '@uprez/contracts/schemas/mails';
import type { Tx } from '@uprez/db/database';
import { deleteAccountTokens } from '@uprez/db/queries/accounts/account-tokens';
import { deleteWaitingMails } from '@uprez/db/queries/mails/outbox';
import { countMails } from '../mails/queue-mail.ts';

/** Whether another email of this name may be sent, so that mailboxes are not flooded. Lock the user first. */
export async function mayQueueLink(tx: Tx, userId: string, mail: MailName): Promise<boolean> {
  const { short, long } = await countMails(tx, userId, mail);
  return short === 0 && long < limits.mailsOfKind;
}

/** Revoke every link that could take over the account, including those in emails that wait to be sent. */
export async function revokeLinks(tx: Tx, userId: string): Promise<void> {
  await deleteAccountTokens(tx, userId, ['reset', 'change_email']);
  await deleteWaitingMails(tx, userId, ['reset_password', 'confirm_new_email']);
}
