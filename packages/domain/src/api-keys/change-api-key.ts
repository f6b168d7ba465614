import { AppError } from '@uprez/contracts/errors/app-error';
import { updateApiKey } from '@uprez/db/queries/api-keys/api-keys';
import type { Needs } from '../context.ts';
import { type KeyLimits, requireFuture } from './create-api-key.ts';
import { getApiKey, lockOwnApiKey, type OwnKey } from './get-api-key.ts';

/** Absent: it stays. Null: no limit of the key's own. */
export type KeyChange = { name?: string | undefined; isActive?: boolean | undefined } & KeyLimits;

/** Change a key. Throws `api_key_not_found`, `invalid_parameter` for an end in the past, or `api_key_replaced`. */
export const changeApiKey = (ctx: Needs<'db'>, { change, ...own }: { change: KeyChange } & OwnKey) =>
  ctx.db.transaction().execute(async (tx) => {
    const before = await lockOwnApiKey(tx, own);
    if (change.expiresAt !== undefined && before.replacedBy !== null) throw new AppError('api_key_replaced');
    const values = columnsOf(change);
    if (Object.keys(values).length === 0) return before;
    await updateApiKey(tx, own, values);
    const after = await getApiKey(tx, own);
    if (change.expiresAt !== undefined) requireFuture(after);
    return after;
  });

function columnsOf({ name, isActive, expiresAt, monthlyCap, callsPerMinute, addresses }: KeyChange) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(isActive === undefined ? {} : { is_active: isActive }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    ...(monthlyCap === undefined ? {} : { monthly_cap: monthlyCap }),
    ...(callsPerMinute === undefined ? {} : { calls_per_minute: callsPerMinute }),
    ...(addresses === undefined ? {} : { addresses: [...addresses] }),
  };
}
