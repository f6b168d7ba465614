import { randomUUID } from 'node:crypto';
import type { EmailSettingsBody, TestMailResponse } from '@uprez/contracts/schemas/admin/settings';
import { findUser, listOwnerEmails } from '@uprez/db/queries/accounts/users';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { findSettingsRow } from '@uprez/db/queries/instance/instance';
import { renderMail } from '@uprez/mail/render-mail';
import { deliver, tryMailServer } from '@uprez/mail/send-message';
import type { Needs, SettingsByName } from '../context.ts';
import { findPauseReason } from '../mails/queue-mail.ts';
import { mailRoutingFields } from '../settings/mail-changer.ts';
import type { Versioned } from '../settings/open-settings.ts';
import { completePassword, fillPassword, type PasswordChange } from '../settings/smtp-password.ts';
import { type Administrator, lockAdmin, toAuditFields } from './administrator.ts';
import { type SettingsWrite, writeSettings } from './write-settings.ts';

type EmailWrite = Omit<SettingsWrite<'email'>, 'name'> & { publicUrl: string };

/**
 * Notifies the owners through the current mail server, then writes the email settings. Throws the errors of
 * `writeSettings`.
 */
export async function writeEmailSettings(
  ctx: Needs<'db' | 'vault' | 'settings' | 'log'>,
  { publicUrl, ...write }: EmailWrite,
): Promise<Versioned<SettingsByName['email']>> {
  await announceMailChange(ctx, { ...write, accountId: write.admin.accountId, publicUrl });
  return writeSettings(ctx, { ...write, name: 'email' });
}

type MailChange = PasswordChange & {
  /** ID of the account of the administrator who is changing the settings. */
  accountId: string;
  value: Partial<SettingsByName['email']>;
  seen?: number | undefined;
  publicUrl: string;
};

/**
 * Timeout for notifying each owner through the current mail server. It's short, so that an owner can still replace a
 * server that doesn't respond.
 */
const timeoutMs = 5_000;
const maxOwners = 10;

/**
 * Emails the owners that the mail server or the sender is about to change. Uses the current server, because the new one
 * may belong to an intruder. Only logs errors from the server. Throws `invalid_parameter` if a password is missing.
 */
async function announceMailChange(
  ctx: Needs<'db' | 'settings' | 'log'>,
  { accountId, value, seen, publicUrl, ...password }: MailChange,
): Promise<void> {
  const row = await findSettingsRow(ctx.db, 'email');
  const held = ctx.settings.merge('email', row?.value);
  const next = completePassword({ stored: row?.value, held, given: { ...held, ...value } }, password);
  const isStale = seen !== undefined && seen !== (row?.version ?? 0);
  if (isStale || findPauseReason(held) || mailRoutingFields.every((field) => next[field] === held[field])) return;
  const by = (await findUser(ctx.db, accountId))?.email ?? '';
  const { siteName, supportEmail, ...owner } = await ctx.settings.read('site');
  const message = await renderMail(
    {
      mail: 'email_settings_changing',
      by,
      present: describeServer(held),
      next: describeServer(next),
      at: new Date().toISOString(),
    },
    { siteName, supportEmail, owner, publicUrl, firstName: null },
  );
  const owners = await listOwnerEmails(ctx.db, maxOwners);
  const sent = await Promise.allSettled(
    owners.map((to) => deliver(held, { ...message, id: randomUUID(), to }, timeoutMs)),
  );
  const failed = sent.filter(({ status }) => status === 'rejected').length;
  if (failed > 0) ctx.log.warn({ failed, owners: owners.length }, 'announcing a change of the email settings failed');
}

const describeServer = ({ smtpHost, smtpPort, fromEmail }: SettingsByName['email']) =>
  `${smtpHost}:${smtpPort}, sender ${fromEmail}`;

/** `usesPassword`: whether the mail server requires signing in. */
type TestMail = { admin: Administrator; form: EmailSettingsBody; usesPassword: boolean };

/**
 * Sends a test email to the administrator and returns the mail server's response. The settings don't have to be saved
 * first. An empty password stands for the stored one, but only for the stored server. Private hosts are allowed,
 * because the mail server may be in the operator's network. The attempt is audited with its outcome. Throws
 * `invalid_parameter` if a password is missing.
 */
export async function sendTestMail(
  ctx: Needs<'db' | 'settings'>,
  { admin, form, usesPassword }: TestMail,
): Promise<TestMailResponse> {
  const { held, server, to } = await ctx.db.transaction().execute(async (tx) => {
    const actor = await lockAdmin(tx, admin);
    const stored = (await findSettingsRow(tx, 'email'))?.value;
    const held = ctx.settings.merge('email', stored);
    return { held, server: usesPassword ? fillPassword({ stored, held, given: form }) : form, to: actor.email };
  });
  const result = await tryMailServer(server, to);
  await insertAudit(ctx.db, {
    ...toAuditFields(admin),
    action: 'settings.test_mail',
    subject: 'settings:email',
    before: serverOf(held),
    after: { ...serverOf(server), delivered: result.delivered },
  });
  return { to, ...result };
}

const serverOf = ({ smtpHost, smtpPort }: EmailSettingsBody) => ({ smtpHost, smtpPort });
