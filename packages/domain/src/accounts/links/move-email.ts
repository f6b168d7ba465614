import type { Tx } from '@uprez/db/database';
import { type AccountToken, changeTokenKind } from '@uprez/db/queries/accounts/account-tokens';
import { type UserRow, updateUser } from '@uprez/db/queries/accounts/users';
import { deleteWaitingMails } from '@uprez/db/queries/mails/queued-mails';
import { queueMail } from '../../mails/queue-mail.ts';
import { revokeLinks } from './revoke-links.ts';

/**
 * Move an account to the address that a link proved, and tell the former one. Sessions go on: whoever asked gave the
 * password, and an address is no key to them. The link is one that confirms from then on, so that it may be opened again.
 */
export async function moveEmail(tx: Tx, user: UserRow, { tokenHash, email }: AccountToken): Promise<void> {
  const isNamedByIt = user.username.toLowerCase() === user.email.toLowerCase();
  await updateUser(tx, user.id, { email, emailVerified: true, ...(isNamedByIt ? { username: email } : {}) });
  await changeTokenKind(tx, tokenHash, 'verify');
  await revokeLinks(tx, user.id);
  await deleteWaitingMails(tx, user.id, ['verify_email']);
  // An address that was never confirmed may be a stranger's, who is told nothing.
  if (user.emailVerified) await queueMail(tx, user.id, { mail: 'email_changed', to: user.email, newEmail: email });
}
