import { lockSettings } from '@uprez/db/locks';
import { insertAudit } from '@uprez/db/queries/accounts/admin-users';
import { findSettings, upsertSettings } from '@uprez/db/queries/instance/instance';
import type { Needs, SettingsByName } from '../context.ts';
import { sealPassword, withoutPasswords, withPassword } from '../settings/open-settings.ts';
import { type Administrator, lockAdmin } from './administrator.ts';
import { changedFields } from './change-user.ts';

/** Write settings, effective within a second everywhere. Throws `invalid_parameter` without a password. */
export async function writeSettings<Name extends keyof SettingsByName>(
  ctx: Needs<'db' | 'vault' | 'settings'>,
  { admin, name, value: given }: { admin: Administrator; name: Name; value: SettingsByName[Name] },
): Promise<SettingsByName[Name]> {
  const written = await ctx.db.transaction().execute(async (tx) => {
    await lockAdmin(tx, admin);
    await lockSettings(tx, name);
    const stored = await findSettings(tx, name);
    const held = ctx.settings.merge(name, stored);
    const value = withPassword(held, given);
    const changed = changedFields(held, value);
    if (!changed) return held;
    await upsertSettings(tx, name, sealPassword(ctx, { stored, held, value }));
    const { accountId: actorId, address } = admin;
    const about = { action: `settings.${name}`, subject: `settings:${name}` };
    await insertAudit(tx, { actorId, address, ...about, ...withoutPasswords(changed) });
    return value;
  });
  ctx.settings.forget(name);
  return written;
}
