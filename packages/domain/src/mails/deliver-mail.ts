import { type Mail, mailSchema } from '@uprez/contracts/schemas/mails';
import type { EmailSettingsBody } from '@uprez/contracts/schemas/settings';
import { findUser, lockUser, type UserRow } from '@uprez/db/queries/accounts/users';
import { type ClaimedMessage, lockOutbox } from '@uprez/db/queries/mails/outbox';
import { MailError } from '@uprez/mail/mail-error';
import { renderMail } from '@uprez/mail/render-mail';
import { sendMessage } from '@uprez/mail/send-message';
import type { Needs } from '../context.ts';
import { createAccountToken } from './account-token.ts';
import { isSwitchedOff, mailLinks } from './mail-policy.ts';

export type Delivery = { claimed: ClaimedMessage; server: EmailSettingsBody; publicUrl: string };

/** Render and send a claimed email. The token of its link is created now and not stored. Throws MailError. */
export async function deliverMail(ctx: Needs<'db' | 'settings'>, delivery: Delivery): Promise<void> {
  const { claimed, server, publicUrl } = delivery;
  const mail = readMail(claimed);
  if (isSwitchedOff(mail.mail, server)) throw new MailError('such mails are switched off', true);
  const user = claimed.userId === null ? undefined : await findUser(ctx.db, claimed.userId);
  const to = 'to' in mail ? mail.to : user?.email;
  if (to === undefined) throw new MailError('the account is gone', true);
  const { siteName, supportEmail } = await ctx.settings.read('site');
  const facts = {
    siteName,
    supportEmail,
    publicUrl,
    firstName: greetedName(mail, user),
    token: await makeToken(ctx, { claimed, mail, user, to }),
  };
  await sendMessage(server, { ...(await renderMail(mail, facts)), id: claimed.id, to });
}

/** A name is only sent to a confirmed address: elsewhere it could carry a stranger's message. */
function greetedName(mail: Mail, user: UserRow | undefined): string | null {
  if ('firstName' in mail) return mail.firstName;
  return !('to' in mail) && user?.emailVerified ? user.firstName : null;
}

function readMail({ payload }: ClaimedMessage): Mail {
  const { success, data } = mailSchema.safeParse(payload);
  // Perhaps a newer dispatcher knows it.
  if (!success) throw new MailError('the mail is none that this version knows', false);
  return data;
}

type LinkRequest = { claimed: ClaimedMessage; mail: Mail; user: UserRow | undefined; to: string };

/** Create the token of a link. Locks the user, as transactions that withdraw waiting emails do. */
async function makeToken(ctx: Needs<'db'>, { claimed, mail, user, to }: LinkRequest): Promise<string | undefined> {
  const link = mailLinks[mail.mail];
  if (!link) return undefined;
  if (!user) throw new MailError('the account is gone', true);
  return ctx.db.transaction().execute(async (tx) => {
    const account = await lockUser(tx, user.id);
    const isWanted = await lockOutbox(tx, claimed);
    // The address may have changed since it was read: a link for the former one would be worth nothing.
    const isTheirs = 'to' in mail || account?.email === to;
    if (!account || !isWanted || !isTheirs) throw new MailError('the mail was taken back', true);
    return createAccountToken(tx, { userId: user.id, email: to, ...link });
  });
}
