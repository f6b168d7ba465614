import type { AuditAction } from '@uprez/contracts/texts/admin/audit-actions';
import type { Tx } from '@uprez/db/database';
import { lockUsersAndOwners, setSuspension } from '@uprez/db/queries/accounts/admin-users';
import { deleteUserSessions } from '@uprez/db/queries/accounts/sessions';
import { clearTwoFactor, replaceRecoveryCodes } from '@uprez/db/queries/accounts/two-factor';
import { findUserByLogin, type UserRow, updateUser } from '@uprez/db/queries/accounts/users';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { replacePassword } from '../../accounts/reset-password.ts';
import type { Needs } from '../../context.ts';
import { queueMail } from '../../mails/queue-mail.ts';

export const recoverySteps = ['owner', 'restore', 'two_factor_off', 'password'] as const;
export type RecoveryStep = (typeof recoverySteps)[number];
type RecoveryChange = { before: Record<string, unknown>; after: Record<string, unknown> };

/** Each returns undefined if it changes nothing. */
const stepHandlers: Record<
  RecoveryStep,
  (tx: Tx, user: UserRow, input: Recovery) => Promise<RecoveryChange | undefined>
> = {
  owner: async (tx, { id, role }) => {
    if (role === 'owner') return undefined;
    await updateUser(tx, id, { role: 'owner' });
    return { before: { role }, after: { role: 'owner' } };
  },
  restore: async (tx, { id, suspendedAt }) => {
    if (suspendedAt === null) return undefined;
    await setSuspension(tx, id, undefined);
    return { before: { suspended: true }, after: { suspended: false } };
  },
  two_factor_off: async (tx, { id }) => {
    const at = await clearTwoFactor(tx, id);
    if (!at) return undefined;
    await replaceRecoveryCodes(tx, id, []);
    await deleteUserSessions(tx, id);
    await queueMail(tx, id, { mail: 'two_factor_changed', isOn: false, at: at.toISOString() });
    return { before: { twoFactorEnabled: true }, after: { twoFactorEnabled: false } };
  },
  password: async (tx, { id }, { passwordHash }) => {
    if (passwordHash === undefined) return undefined;
    await replacePassword(tx, id, { passwordHash });
    await deleteUserSessions(tx, id);
    return { before: { password: 'set' }, after: { password: 'changed' } };
  },
};

/** `passwordHash`: hash of the new password for the `password` step. */
type Recovery = { email: string; steps: readonly RecoveryStep[]; reason: string; passwordHash?: string | undefined };

/**
 * Restores access to administration if no owner can sign in anymore. Run by an operator who has access to the database.
 * Returns the steps that changed something. Each of them adds a row to the audit log. Throws Error if the account
 * doesn't exist, its email address isn't confirmed, or it's about to be deleted.
 */
export async function recoverAdmin({ db }: Needs<'db'>, input: Recovery): Promise<RecoveryStep[]> {
  const { email, steps, reason } = input;
  return await db.transaction().execute(async (tx) => {
    const found = await findUserByLogin(tx, email);
    const locked = found ? await lockUsersAndOwners(tx, [found.id]) : [];
    const user = locked.find((one) => one.id === found?.id && one.email.toLowerCase() === email.toLowerCase());
    if (!user) throw new Error(`No account has the email address ${email}.`);
    if (!user.emailVerified) throw new Error(`The email address ${email} isn't confirmed.`);
    if (user.deletesAt)
      throw new Error(`The account ${email} is about to be deleted. Its user must cancel the deletion first.`);
    const done: RecoveryStep[] = [];
    for (const step of recoverySteps.filter((one) => steps.includes(one))) {
      const changed = await stepHandlers[step](tx, user, input);
      if (!changed) continue;
      const action: AuditAction = `recovery.${step}`;
      await insertAudit(tx, { actorId: null, action, subject: `user:${user.id}`, reason, ...changed });
      done.push(step);
    }
    return done;
  });
}
