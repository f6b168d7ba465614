import type { Needs } from '../context.ts';
import { type CreatedKey, type KeyFacts, lockKeyOwner, makeKey, requireMayHaveKeys, requireRoom } from './key-maker.ts';

/**
 * Make a key for the public API; its secret is in the answer and nowhere else. Throws
 * `not_signed_in`, `plan_feature`, `email_unverified`, and what `makeKey` and `requireRoom` do.
 */
export const createApiKey = (ctx: Needs<'db'>, facts: KeyFacts): Promise<CreatedKey> =>
  ctx.db.transaction().execute(async (tx) => {
    requireMayHaveKeys(await lockKeyOwner(tx, facts.accountId));
    const created = await makeKey(tx, facts);
    await requireRoom(tx, facts.accountId);
    return created;
  });
