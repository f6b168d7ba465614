import { AppError } from '@uprez/contracts/errors/app-error';
import { isRoleAbove, type Role } from '@uprez/contracts/policy/admin/permissions';
import type { DbOrTx, Tx } from '@uprez/db/database';
import { deleteStaffResetTokens } from '@uprez/db/queries/accounts/account-tokens';
import { revokeStaffInvitations } from '@uprez/db/queries/accounts/invitations';
import { findLastAuthorRole } from '@uprez/db/queries/instance/settings-versions';
import type { SettingsByName } from '../context.ts';

/** Settings that determine who receives emails and who appears to send them. */
export const mailRoutingFields = [
  'smtpHost',
  'smtpPort',
  'smtpUser',
  'smtpPassword',
  'smtpSecure',
  'fromEmail',
  'fromName',
] as const satisfies (keyof SettingsByName['email'])[];

/**
 * Whether a role ranks above the role of the administrator who last changed the email settings. That administrator may
 * have directed all emails to a mail server that they can read. False if the settings come from the environment,
 * because only the operator can change them.
 */
export async function isAboveMailChanger(db: DbOrTx, role: Role | null): Promise<boolean> {
  const last = role === null ? undefined : await findLastAuthorRole(db, 'email');
  return last !== undefined && isRoleAbove(role, last.role);
}

/** Throws `link_held` if a lower-ranked administrator could have read a link emailed to an account with this role. */
export async function requireTrustedMail(db: DbOrTx, role: Role | null, detail?: string): Promise<void> {
  if (await isAboveMailChanger(db, role)) throw new AppError('link_held', detail === undefined ? {} : { detail });
}

/** Revokes emailed links that grant a role, because another mail server may have received them. */
export async function revokeStaffLinks(tx: Tx): Promise<void> {
  await deleteStaffResetTokens(tx);
  await revokeStaffInvitations(tx);
}
