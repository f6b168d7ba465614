import type { EmailSettingsBody, TestMailAnswer } from '@uprez/contracts/schemas/admin/settings';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { findSettingsRow } from '@uprez/db/queries/instance/instance';
import { tryMailServer } from '@uprez/mail/try-mail-server';
import type { Needs } from '../context.ts';
import { withPassword } from '../settings/smtp-password.ts';
import { type Administrator, auditedBy, lockAdmin } from './administrator.ts';

/** `usesPassword`: whether to sign in to the server. */
type TestMail = { admin: Administrator; form: EmailSettingsBody; usesPassword: boolean };

/**
 * Sends an email to the administrator with settings that needn't be saved, and returns the mail server's response. An
 * empty password means the stored one, for the stored server only. Private hosts are allowed, because the mail server
 * may be in the operator's network. The attempt is audited with its outcome. Throws `invalid_parameter` if a password
 * is missing.
 */
export async function sendTestMail(
  ctx: Needs<'db' | 'settings'>,
  { admin, form, usesPassword }: TestMail,
): Promise<TestMailAnswer> {
  const { held, server, to } = await ctx.db.transaction().execute(async (tx) => {
    const actor = await lockAdmin(tx, admin);
    const stored = (await findSettingsRow(tx, 'email'))?.value;
    const held = ctx.settings.merge('email', stored);
    return { held, server: usesPassword ? withPassword({ stored, held, given: form }) : form, to: actor.email };
  });
  const result = await tryMailServer(server, to);
  await insertAudit(ctx.db, {
    ...auditedBy(admin),
    action: 'settings.test_mail',
    subject: 'settings:email',
    before: serverOf(held),
    after: { ...serverOf(server), delivered: result.delivered },
  });
  return { to, ...result };
}

const serverOf = ({ smtpHost, smtpPort }: EmailSettingsBody) => ({ smtpHost, smtpPort });
