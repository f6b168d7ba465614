import type { Tx } from '@uprez/db/database';
import { deleteAccountTokens } from '@uprez/db/queries/accounts/account-tokens';
import { deleteWaitingMails } from '@uprez/db/queries/mails/queued-mails';

/**
 * Make every link worthless that could take the account over: those that were sent, and those in mails that still wait
 * (a server that puts a mail off for hours must not get a link made after the owner acted). Links that only confirm an
 * address stay.
 */
export async function revokeLinks(tx: Tx, userId: string): Promise<void> {
  await deleteAccountTokens(tx, userId, ['reset', 'change_email']);
  await deleteWaitingMails(tx, userId, ['reset_password', 'confirm_new_email']);
}
