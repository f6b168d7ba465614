import type { Tx } from '@uprez/db/database';
import { dropPendingTwoFactor } from '@uprez/db/queries/accounts/two-factor';
import { type UserRow, updateUser } from '@uprez/db/queries/accounts/users';
import { queueMail } from '../mails/queue-mail.ts';
import { revokeLinks } from './links.ts';

export type NewPassword = Pick<UserRow, 'passwordHash'> & Partial<Pick<UserRow, 'emailVerified'>>;

/**
 * Set a password, revoke sent links and a pending two-factor secret, and email the owner. The caller ends the sessions.
 */
export async function replacePassword(tx: Tx, userId: string, values: NewPassword): Promise<void> {
  await updateUser(tx, userId, values);
  await dropPendingTwoFactor(tx, userId);
  await revokeLinks(tx, userId);
  await queueMail(tx, userId, { mail: 'password_changed', at: new Date().toISOString() });
}
