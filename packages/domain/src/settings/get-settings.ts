import { findSettings } from '@uprez/db/queries/instance/settings';
import type { Needs } from '../context.ts';
import type { SettingsByName } from './first-settings.ts';

/** Settings as they are at this moment: whoever edits them must not begin with those of a second ago. */
export const getSettings = async <Name extends keyof SettingsByName>(
  ctx: Needs<'db' | 'settings'>,
  name: Name,
): Promise<SettingsByName[Name]> => ctx.settings.merge(name, await findSettings(ctx.db, name));
