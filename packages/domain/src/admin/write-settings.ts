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
  /** Absent fields keep their value. */
  value: Partial<SettingsByName[Name]>;
  /** The version that the administrator saw. Undefined means any version. */
  seen?: number | undefined;
};

/**
 * Writes settings, effective everywhere within a second, and adds a version to their history. Throws
 * `invalid_parameter` if a password is missing, `settings_changed` if another version was written since the one that
 * the administrator saw, and `admin_two_factor` if the administrator requires two-factor authentication without having
 * it.
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

/** Error for an administrator who requires two-factor authentication without having it, and couldn't undo that. */
const lockedOutError = () =>
  new AppError('admin_two_factor', {
    param: 'requireTwoFactor',
    detail: 'Turn on two-factor authentication for your own account before you require it.',
  });

/** Change recorded when an administrator saves unchanged email settings that someone with a lower role wrote. */
const noChange = { before: {}, after: {} };

/** Change recorded when an administrator removes a password although none is stored. */
const noPassword = { before: { smtpPassword: '' }, after: { smtpPassword: '' } };

async function rejectStaleVersion(tx: Tx, name: keyof SettingsByName, current: number): Promise<never> {
  const last = await findSettingsVersion(tx, name, current);
  const at = last?.createdAt.toISOString() ?? null;
  throw new AppError('settings_changed', { meta: { version: current, by: last?.author?.email ?? null, at } });
}

type SettingsValues = Record<string, unknown>;

/** The fields that are never shown, listed, or restored. */
const secretFields: { [Name in keyof SettingsByName]?: readonly (keyof SettingsByName[Name] & string)[] } = {
  email: ['smtpPassword'],
};

/** Splits settings into the fields that may be shown, and the secret ones. */
function splitSecrets(
  name: keyof SettingsByName,
  values: SettingsValues,
): { plain: SettingsValues; secrets: SettingsValues } {
  const secret: readonly string[] = secretFields[name] ?? [];
  const entries = Object.entries(values);
  return {
    plain: Object.fromEntries(entries.filter(([field]) => !secret.includes(field))),
    secrets: Object.fromEntries(entries.filter(([field]) => secret.includes(field))),
  };
}
