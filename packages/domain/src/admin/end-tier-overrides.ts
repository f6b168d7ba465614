import type { Tx } from '@uprez/db/database';
import { listEndedOverrides, lockUser, updateUser } from '@uprez/db/queries/accounts/users';
import { isToCome } from '@uprez/db/queries/usage/allowances';
import type { Needs } from '../context.ts';
import { ensurePeriod } from '../usage/ensure-period.ts';
import { tierValues } from './tier-values.ts';

/** Restore the previous tier of accounts whose override has ended. Returns how many. Safe to repeat. */
export async function endTierOverrides(ctx: Needs<'db' | 'log'>): Promise<number> {
  let count = 0;
  for (const userId of await listEndedOverrides(ctx.db)) {
    const tier = await ctx.db.transaction().execute((tx) => endOverride(tx, userId));
    if (!tier) continue;
    ctx.log.info({ userId, tier }, 'tier override ended');
    count += 1;
  }
  return count;
}

/** The restored tier. Undefined when the override has changed meanwhile. */
async function endOverride(tx: Tx, userId: string) {
  const user = await lockUser(tx, userId);
  if (!user?.tierUntil || !user.tierBefore || (await isToCome(tx, user.tierUntil))) return undefined;
  await updateUser(tx, userId, { ...tierValues(user, user.tierBefore), tierReason: null });
  await ensurePeriod(tx, userId);
  return user.tierBefore;
}
