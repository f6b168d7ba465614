import { AppError } from '@uprez/contracts/errors/app-error';
import { hasPermission, invitePermissionOf } from '@uprez/contracts/policy/admin/permissions';
import { lockUsers } from '@uprez/db/queries/accounts/admin-users';
import { findInvitation, type InvitationRow, takeInvitation } from '@uprez/db/queries/accounts/invitations';
import { insertUser, type UserRow } from '@uprez/db/queries/accounts/users';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../context.ts';
import { hashLinkToken } from '../mails/account-token.ts';
import { requireTrustedMail } from '../settings/mail-changer.ts';
import { checkNewPassword, hashPassword, visitorTurn } from './password-hash.ts';
import { readSessionLifeS, type SignInContext, type SignInResult, startSession } from './sessions.ts';
import { acceptTermsInForce } from './terms.ts';

/** Returns the invitation for a link token. Throws `invalid_token`. */
export async function getInvitation(ctx: Needs<'db'>, token: string): Promise<InvitationRow> {
  const invitation = await findInvitation(ctx.db, hashLinkToken(token));
  if (!invitation) throw new AppError('invalid_token', { detail: invalidInvitationDetail });
  return invitation;
}

const linkHeldDetail =
  'The email settings were last changed by someone with a lower role. Ask an owner to save them, and to send the invitation again.';
const invalidInvitationDetail = 'This invitation is invalid or has expired. Ask for a new one.';

/**
 * Whether the administrator who sent the invitation could still send it. If not, the invitation is invalid, because it
 * must not grant more than its sender can.
 */
function canStillInvite(inviter: UserRow | undefined, { role }: InvitationRow): boolean {
  if (!inviter || inviter.suspendedAt || inviter.deletesAt) return false;
  return hasPermission(inviter.role, invitePermissionOf(role));
}

type AcceptInvitationInput = SignInContext & {
  token: string;
  password: string;
  firstName?: string | undefined;
  lastName?: string | undefined;
  acceptTerms?: boolean | undefined;
  requestId?: string | undefined;
};

/**
 * Creates an account with the invitation's role, even while registration is closed, and signs the user in. The email
 * address counts as confirmed, because the link was sent to it. Throws `invalid_token`, `link_held`,
 * `password_too_short`, `password_too_common`, or `email_taken` if an account was created in the meantime.
 */
export async function acceptInvitation(
  ctx: Needs<'db' | 'settings'>,
  input: AcceptInvitationInput,
): Promise<SignInResult> {
  const { email, invitedBy } = await getInvitation(ctx, input.token);
  await checkNewPassword(ctx, { password: input.password, owner: { ...input, email } });
  const passwordHash = await hashPassword(input.password, visitorTurn(input.device.address));
  const { defaultPlan } = await ctx.settings.read('site');
  const lifeS = await readSessionLifeS(ctx);
  return ctx.db.transaction().execute(async (tx) => {
    // Locks the inviter before the invitation, because an administrator who changes an invitation locks their own
    // account first. `invitedBy` is still the sender, because resending an invitation invalidates the earlier link.
    const [inviter] = invitedBy ? await lockUsers(tx, [invitedBy]) : [];
    const invitation = await takeInvitation(tx, hashLinkToken(input.token));
    if (!invitation || !canStillInvite(inviter, invitation))
      throw new AppError('invalid_token', { detail: invalidInvitationDetail });
    const { id, role } = invitation;
    await requireTrustedMail(tx, role, linkHeldDetail);
    const inserted = await insertUser(tx, {
      id: uuidv7(),
      email,
      username: email,
      passwordHash,
      firstName: input.firstName || null,
      lastName: input.lastName || null,
      role,
      tier: defaultPlan,
      emailVerified: true,
    });
    if (!inserted) throw new AppError('email_taken');
    const user = input.acceptTerms ? await acceptTermsInForce(tx, inserted, input.device) : inserted;
    await insertAudit(tx, {
      actorId: user.id,
      address: input.device.address,
      requestId: input.requestId,
      action: 'invitation.accept',
      subject: `user:${user.id}`,
      before: { invitation: id, role: null },
      after: { invitation: null, role },
    });
    const { newDeviceAt, ...secrets } = await startSession(tx, { ...input, userId: user.id, lifeS });
    return { user, ...secrets, isNewDevice: newDeviceAt !== undefined };
  });
}
