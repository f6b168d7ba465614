import { AppError } from '@uprez/contracts/errors/app-error';
import { hasPermission, invitePermission, type Role } from '@uprez/contracts/policy/admin/permissions';
import { limits } from '@uprez/contracts/policy/limits';
import { maskEmail } from '@uprez/contracts/texts/mask-email';
import type { Tx } from '@uprez/db/database';
import {
  findInvitationTo,
  type InvitationRow,
  insertInvitation,
  type ListedInvitation,
} from '@uprez/db/queries/accounts/invitations';
import { findUserByLogin } from '@uprez/db/queries/accounts/users';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { uuidv7 } from 'uuidv7';
import { takeAddress } from '../../accounts/change-email.ts';
import type { Needs } from '../../context.ts';
import { queueMail } from '../../mails/queue-mail.ts';
import { type Actor, type Administrator, auditedBy, lockAdmin, requirePermission } from '../administrator.ts';

/** Lifetime of an invitation link in seconds. */
export const invitationLifeS = limits.invitationDays * 86_400;

type Invited = { admin: Administrator; email: string; role: Role | null; reason?: string | undefined };

/**
 * Emails a link for creating an account, with or without a role. Throws `email_taken`, `invitation_exists`,
 * `permission_missing` for a role without `roles.manage`, `rate_limited` after several emails to the address, and the
 * errors of `lockAdmin`.
 */
export const inviteUser = (ctx: Needs<'db'>, { admin, email, role, reason }: Invited): Promise<ListedInvitation> =>
  ctx.db.transaction().execute(async (tx) => {
    const actor = await lockAdmin(tx, admin);
    requirePermission(actor.role, invitePermission(role));
    if (await findUserByLogin(tx, email))
      throw new AppError('email_taken', { param: 'email', detail: role === null ? emailTakenDetail : hasAccount });
    const created = await insertInvitation(tx, {
      ...{ id: uuidv7(), email, role, invitedBy: actor.id },
      lifeS: invitationLifeS,
    });
    if (!created) throw await explainExisting(tx, actor, email);
    // Revoking an invitation makes room for another, so emails per address are limited separately.
    if (!(await takeAddress(tx, email)))
      throw new AppError('rate_limited', { detail: tooMany, meta: { retryAfterS: limits.newAddressMinutes * 60 } });
    await queueInvitation(tx, created);
    await auditInvitation(tx, { admin, action: 'create', id: created.id, before: null, after: created, reason });
    return { ...created, inviterEmail: actor.email };
  });

/**
 * Returns the error for an email address that was already invited. The administrator may lack the permission to resend
 * or revoke that invitation.
 */
async function explainExisting(tx: Tx, actor: Actor, email: string): Promise<AppError> {
  const existing = await findInvitationTo(tx, email);
  const isOutOfReach = existing !== undefined && !hasPermission(actor.role, invitePermission(existing.role));
  return new AppError('invitation_exists', { param: 'email', ...(isOutOfReach && { detail: invitedAbove }) });
}

const invitedAbove =
  'This email address was already invited by an owner. Ask an owner to resend or revoke that invitation.';
const tooMany = 'Several invitations were sent to this email address in the last hour. Try again later.';
const emailTakenDetail = 'An account with this email already exists.';
const hasAccount = `${emailTakenDetail} Give it the role once its email address is confirmed.`;

/** Queues the email of an invitation. Its link is created when the email is sent. */
export const queueInvitation = (tx: Tx, { id, email, role }: InvitationRow): Promise<void> =>
  queueMail(tx, undefined, { mail: 'invitation', to: email, id, role });

type InvitationAudit = {
  admin: Administrator;
  action: 'create' | 'resend' | 'revoke';
  id: string;
  before: InvitationRow | null;
  after: InvitationRow | null;
  reason?: string | undefined;
};

/**
 * Adds a row to the audit log. Its email address is masked, because people who never had an account can't delete it.
 */
export const auditInvitation = (tx: Tx, { admin, action, id, before, after, reason }: InvitationAudit) =>
  insertAudit(tx, {
    ...auditedBy(admin),
    action: `invitation.${action}`,
    subject: `invitation:${id}`,
    before: termsOf(before),
    after: termsOf(after),
    reason,
  });

const termsOf = (row: InvitationRow | null) => ({
  invitation: row && { email: maskEmail(row.email), role: row.role, expiresAt: row.expiresAt.toISOString() },
});
