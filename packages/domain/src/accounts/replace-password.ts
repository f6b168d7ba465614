import type { Tx } from '@uprez/db/database';
import { deleteUserSessions } from '@uprez/db/queries/sessions';
import { type UserRow, updateUser } from '@uprez/db/queries/users';
import { queueMail } from '../mails/queue-mail.ts';
import { revokeLinks } from './links/revoke-links.ts';

export type NewPassword = {
  userId: string;
  values: Pick<UserRow, 'password_hash'> & Partial<Pick<UserRow, 'email_verified'>>;
  /** Public id of the one session that goes on. */
  keptSessionId?: string;
};

/** Set a password; whoever came in by the old one, or could by a link, is out. The owner is told by mail. */
export async function replacePassword(tx: Tx, { userId, values, keptSessionId }: NewPassword): Promise<void> {
  await updateUser(tx, userId, values);
  await deleteUserSessions(tx, userId, keptSessionId);
  await revokeLinks(tx, userId);
  await queueMail(tx, userId, { mail: 'password_changed', at: new Date().toISOString() });
}
