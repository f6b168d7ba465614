import { AppError } from '@uprez/contracts/errors/app-error';
import { invitePermission } from '@uprez/contracts/policy/admin/permissions';
import { limits } from '@uprez/contracts/policy/limits';
import type { Tx } from '@uprez/db/database';
import {
  deleteInvitation,
  type InvitationRow,
  type ListedInvitation,
  lockInvitation,
  renewInvitation,
} from '@uprez/db/queries/accounts/invitations';
import { findUser } from '@uprez/db/queries/accounts/users';
import { deleteWaitingInvitation } from '@uprez/db/queries/mails/outbox';
import { isUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { type Administrator, lockAdmin, requirePermission } from '../administrator.ts';
import { auditInvitation, invitationLifeS, queueInvitation } from './invite-user.ts';

type Change = { admin: Administrator; id: string };

async function lockOwn(tx: Tx, { admin, id }: Change): Promise<InvitationRow> {
  const actor = await lockAdmin(tx, admin);
  const invitation = isUuid(id) ? await lockInvitation(tx, id) : undefined;
  if (!invitation) throw new AppError('invitation_not_found');
  requirePermission(actor.role, invitePermission(invitation.role));
  return invitation;
}

/**
 * Emails a new link, and makes earlier ones invalid. Throws `invitation_not_found`, the errors of
 * `requirePermission`, or `rate_limited` within a minute of the last email.
 */
export const resendInvitation = (ctx: Needs<'db'>, { admin, id }: Change): Promise<ListedInvitation> =>
  ctx.db.transaction().execute(async (tx) => {
    const before = await lockOwn(tx, { admin, id });
    const pauseS = limits.linkMailSeconds;
    const after = await renewInvitation(tx, { id, invitedBy: admin.accountId, lifeS: invitationLifeS, pauseS });
    if (!after) throw new AppError('rate_limited', { detail: tooSoon, meta: { retryAfterS: pauseS } });
    await deleteWaitingInvitation(tx, after.id);
    await queueInvitation(tx, after);
    await auditInvitation(tx, { admin, action: 'resend', id: after.id, before, after });
    const inviter = after.invitedBy === null ? undefined : await findUser(tx, after.invitedBy);
    return { ...after, inviterEmail: inviter?.email ?? null };
  });

const tooSoon = 'This invitation was sent less than a minute ago. Try again later.';

/** Invalidates an invitation and its links. Throws the errors of `resendInvitation`, except for `rate_limited`. */
export const revokeInvitation = (ctx: Needs<'db'>, { admin, id }: Change): Promise<void> =>
  ctx.db.transaction().execute(async (tx) => {
    const before = await lockOwn(tx, { admin, id });
    await deleteInvitation(tx, before.id);
    await deleteWaitingInvitation(tx, before.id);
    await auditInvitation(tx, { admin, action: 'revoke', id: before.id, before, after: null });
  });
