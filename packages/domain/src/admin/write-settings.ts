import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import { lockSettings } from '@uprez/db/locks';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { findSettingsRow, upsertSettings } from '@uprez/db/queries/instance/instance';
import { findSettingsVersion, insertSettingsVersion } from '@uprez/db/queries/instance/settings-versions';
import type { Needs, SettingsByName } from '../context.ts';
import { isAboveMailChanger, mailRoutingFields, revokeStaffLinks } from '../settings/mail-changer.ts';
import type { Versioned } from '../settings/open-settings.ts';
import { completePassword, type PasswordChange, sealPassword, withoutPasswords } from '../settings/smtp-password.ts';
import { type Administrator, lockAdmin, toAuditFields } from './administrator.ts';
import { diffFields } from './change-user.ts';

export type SettingsWrite<Name extends keyof SettingsByName> = PasswordChange & {
  admin: Administrator;
  name: Name;
  /** Fields to change. Absent fields keep their values. */
  value: Partial<SettingsByName[Name]>;
  /** The version that the administrator saw. If undefined, the write succeeds for any version. */
  seen?: number | undefined;
};

/**
 * Writes settings and adds a version to their history. The change takes effect everywhere within a second. Throws
 * `invalid_parameter` if a password is missing, `settings_changed` if the current version isn't the one that the
 * administrator saw, and `admin_two_factor` if the administrator wants to require two-factor authentication but hasn't
 * turned it on.
 */
export async function writeSettings<Name extends keyof SettingsByName>(
  ctx: Needs<'db' | 'vault' | 'settings'>,
  { admin, name, value: given, seen, ...password }: SettingsWrite<Name>,
): Promise<Versioned<SettingsByName[Name]>> {
  const { restoredFrom, removesPassword = false } = password;
  const written = await ctx.db.transaction().execute(async (tx) => {
    const actor = await lockAdmin(tx, admin);
    await lockSettings(tx, name);
    const row = await findSettingsRow(tx, name);
    const { value: stored, version: current } = row ?? { value: undefined, version: 0 };
    const held = ctx.settings.merge(name, stored);
    const value = completePassword({ stored, held, given: { ...held, ...given } }, password);
    const isRemoved = removesPassword && stored?.smtpPassword !== '';
    const isConfirmed = name === 'email' && (await isAboveMailChanger(tx, actor.role));
    const changed = diffFields(held, value) ?? (isRemoved ? noPassword : isConfirmed ? noChange : undefined);
    if (!changed) return { ...held, version: current };
    if ('requireTwoFactor' in changed.after && changed.after.requireTwoFactor === true && !actor.twoFactorAt)
      throw lockedOutError();
    if (seen !== undefined && seen !== current) await rejectStaleVersion(tx, name, current);
    const isOtherPath = mailRoutingFields.some((field) => field in changed.after);
    if (name === 'email' && (isOtherPath || isConfirmed)) await revokeStaffLinks(tx);
    const version = await upsertSettings(tx, name, sealPassword(ctx, { stored, held, value, isRemoved }));
    const first = { name, version: 0, value: splitSecrets(name, held).plain, actorId: null };
    if (!row) await insertSettingsVersion(tx, first);
    const secrets = Object.keys(splitSecrets(name, changed.after).secrets);
    const { plain } = splitSecrets(name, value);
    await insertSettingsVersion(tx, { name, version, value: plain, secrets, actorId: admin.accountId, restoredFrom });
    const { before, after } = withoutPasswords(changed);
    const isRestore = restoredFrom !== undefined;
    await insertAudit(tx, {
      ...toAuditFields(admin),
      action: `settings.${isRestore ? 'restore' : name}`,
      subject: `settings:${name}`,
      before: { ...before, ...(isRestore && { version: current }) },
      after: { ...after, ...(isRestore && { version: restoredFrom }) },
    });
    return { ...value, version };
  });
  ctx.settings.forget(name);
  return written;
}

/**
 * Error for an administrator who wants to require two-factor authentication but hasn't turned it on. The requirement
 * would lock the administrator out, and they couldn't undo it.
 */
const lockedOutError = () =>
  new AppError('admin_two_factor', {
    param: 'requireTwoFactor',
    detail: 'Turn on two-factor authentication for your own account before you require it.',
  });

/**
 * Change recorded when an administrator saves email settings unchanged after someone with a lower role wrote them.
 * Saving them confirms them.
 */
const noChange = { before: {}, after: {} };

/** Change recorded when an administrator removes the mail server's password although none was set. */
const noPassword = { before: { smtpPassword: '' }, after: { smtpPassword: '' } };

async function rejectStaleVersion(tx: Tx, name: keyof SettingsByName, current: number): Promise<never> {
  const last = await findSettingsVersion(tx, name, current);
  const at = last?.createdAt.toISOString() ?? null;
  throw new AppError('settings_changed', { meta: { version: current, by: last?.author?.email ?? null, at } });
}

type SettingsValues = Record<string, unknown>;

/** Fields that are never shown, listed, or restored. */
const secretFields: { [Name in keyof SettingsByName]?: readonly (keyof SettingsByName[Name] & string)[] } = {
  email: ['smtpPassword'],
};

function splitSecrets(
  name: keyof SettingsByName,
  values: SettingsValues,
): { plain: SettingsValues; secrets: SettingsValues } {
  const secretNames: readonly string[] = secretFields[name] ?? [];
  const entries = Object.entries(values);
  return {
    plain: Object.fromEntries(entries.filter(([field]) => !secretNames.includes(field))),
    secrets: Object.fromEntries(entries.filter(([field]) => secretNames.includes(field))),
  };
}
