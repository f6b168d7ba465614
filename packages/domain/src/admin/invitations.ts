import { AppError } from '@uprez/contracts/errors/app-error';
import { hasPermission, invitePermissionOf, type Role } from '@uprez/contracts/policy/admin/permissions';
import { limits } from '@uprez/contracts/policy/limits';
import { maskEmail } from '@uprez/contracts/texts/mask-email';
import type { Tx } from '@uprez/db/database';
import {
  countInvitations,
  deleteInvitation,
  findInvitationTo,
  type InvitationRow,
  insertInvitation,
  listInvitations as listRows,
  lockInvitation,
  type ListedInvitation as Row,
  renewInvitation,
} from '@uprez/db/queries/accounts/invitations';
import { findUser, findUserByLogin } from '@uprez/db/queries/accounts/users';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { deleteWaitingInvitation } from '@uprez/db/queries/mails/outbox';
import { uuidv7 } from 'uuidv7';
import { takeAddressAttempt } from '../accounts/change-email.ts';
import { getByUuid } from '../actor.ts';
import type { Needs } from '../context.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { type IdPageQuery, parseUuid, readAllIds, readIdPage } from '../read-id-pages.ts';
import type { TablePage } from '../read-table.ts';
import { type Administrator, type LockedAdmin, lockAdmin, requirePermission, toAuditFields } from './administrator.ts';

export type ListedInvitation = Row;

const invitationLifeS = limits.invitationDays * 86_400;

type InvitationInput = { admin: Administrator; email: string; role: Role | null; reason?: string | undefined };

/**
 * Emails a link for creating an account. The account gets `role`, if any. Throws `email_taken`, `invitation_exists`,
 * `permission_missing` if `role` is set and the administrator lacks `roles.manage`, `rate_limited` if the address was
 * sent several emails recently, and the errors of `lockAdmin`.
 */
export const inviteUser = (
  ctx: Needs<'db'>,
  { admin, email, role, reason }: InvitationInput,
): Promise<ListedInvitation> =>
  ctx.db.transaction().execute(async (tx) => {
    const actor = await lockAdmin(tx, admin);
    requirePermission(actor.role, invitePermissionOf(role));
    if (await findUserByLogin(tx, email))
      throw new AppError('email_taken', {
        param: 'email',
        detail: role === null ? emailTakenDetail : hasAccountDetail,
      });
    const created = await insertInvitation(tx, {
      ...{ id: uuidv7(), email, role, invitedBy: actor.id },
      lifeS: invitationLifeS,
    });
    if (!created) throw await makeExistsError(tx, actor, email);
    // Also limits emails per address, because an administrator could revoke an invitation and send another one.
    if (!(await takeAddressAttempt(tx, email)))
      throw new AppError('rate_limited', {
        detail: tooManyDetail,
        meta: { retryAfterS: limits.newAddressMinutes * 60 },
      });
    await queueInvitation(tx, created);
    await auditInvitation(tx, { admin, action: 'create', id: created.id, before: null, after: created, reason });
    return { ...created, inviterEmail: actor.email };
  });

/**
 * Returns the error for an email address that has already been invited. Its text depends on whether the administrator
 * has permission to resend or revoke that invitation.
 */
async function makeExistsError(tx: Tx, actor: LockedAdmin, email: string): Promise<AppError> {
  const existing = await findInvitationTo(tx, email);
  const isOutOfReach = existing !== undefined && !hasPermission(actor.role, invitePermissionOf(existing.role));
  return new AppError('invitation_exists', { param: 'email', ...(isOutOfReach && { detail: invitedAboveDetail }) });
}

const invitedAboveDetail =
  'This email address was already invited by an owner. Ask an owner to resend or revoke that invitation.';
const tooManyDetail = 'Several invitations were sent to this email address in the last hour. Try again later.';
const emailTakenDetail = 'An account with this email already exists.';
const hasAccountDetail = `${emailTakenDetail} Give it the role once its email address is confirmed.`;

/** The link is created only when the email is sent. */
const queueInvitation = (tx: Tx, { id, email, role }: InvitationRow): Promise<void> =>
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
 * Masks the email address. The recipient may never have an account, and couldn't have the address removed from the
 * audit log.
 */
const auditInvitation = (tx: Tx, { admin, action, id, before, after, reason }: InvitationAudit) =>
  insertAudit(tx, {
    ...toAuditFields(admin),
    action: `invitation.${action}`,
    subject: `invitation:${id}`,
    before: termsOf(before),
    after: termsOf(after),
    reason,
  });

const termsOf = (row: InvitationRow | null) => ({
  invitation: row && { email: maskEmail(row.email), role: row.role, expiresAt: row.expiresAt.toISOString() },
});

type Change = { admin: Administrator; id: string };

async function lockPermittedInvitation(tx: Tx, { admin, id }: Change): Promise<InvitationRow> {
  const actor = await lockAdmin(tx, admin);
  const invitation = await getByUuid(id, () => lockInvitation(tx, id), 'invitation_not_found');
  requirePermission(actor.role, invitePermissionOf(invitation.role));
  return invitation;
}

/**
 * Emails a new link and invalidates earlier ones. Throws `invitation_not_found`, the errors of `lockAdmin`, or
 * `rate_limited` if the last email was sent less than a minute ago.
 */
export const resendInvitation = (ctx: Needs<'db'>, { admin, id }: Change): Promise<ListedInvitation> =>
  ctx.db.transaction().execute(async (tx) => {
    const before = await lockPermittedInvitation(tx, { admin, id });
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
    const before = await lockPermittedInvitation(tx, { admin, id });
    await deleteInvitation(tx, before.id);
    await deleteWaitingInvitation(tx, before.id);
    await auditInvitation(tx, { admin, action: 'revoke', id: before.id, before, after: null });
  });

/** `inviterEmail`: email address of the administrator who last sent the invitation. */

const makeListSource = ({ db }: Needs<'db'>) => ({
  list: (page: Parameters<typeof listRows>[1]) => listRows(db, page),
  count: () => countInvitations(db),
});

/** Returns a page of the invitations that haven't been accepted, newest first. Throws `invalid_parameter`. */
export const listInvitations = (ctx: Needs<'db'>, page: IdPageQuery): Promise<TablePage<ListedInvitation>> =>
  readIdPage({ list: 'invitations', parseId: parseUuid, ...page }, makeListSource(ctx));

/** Streams the invitations that haven't been accepted, page by page. Throws `export_too_large`. */
export const exportInvitations = (ctx: Needs<'db'>): Promise<AsyncIterable<ListedInvitation[]>> =>
  readAllIds(makeListSource(ctx));
