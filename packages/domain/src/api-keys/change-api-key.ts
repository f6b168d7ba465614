import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { keyScopes } from '@uprez/contracts/schemas/api-keys';
import { type ApiKeyRow, replaceApiKey, updateApiKey } from '@uprez/db/queries/api-keys/api-keys';
import type { Needs } from '../context.ts';
import {
  type CreatedKey,
  type KeyFacts,
  type KeyLimits,
  lockKeyOwner,
  makeKey,
  requireFuture,
  requireMayHaveKeys,
  requireRoom,
} from './create-api-key.ts';
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
    await updateApiKey(tx, own.id, values);
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

/** Replace a key by a new one with the same limits. The former works for the overlap. Throws `api_key_replaced`. */
export const rotateApiKey = (
  ctx: Needs<'db'>,
  { overlapHours = limits.apiKeyOverlapHours, ...own }: { overlapHours?: number | undefined } & OwnKey,
): Promise<CreatedKey> =>
  ctx.db.transaction().execute(async (tx) => {
    const owner = await lockKeyOwner(tx, own.accountId);
    const former = await lockOwnApiKey(tx, own);
    requireMayHaveKeys(owner);
    if (former.replacedBy !== null) throw new AppError('api_key_replaced');
    const created = await makeKey(tx, factsOf(former));
    await replaceApiKey(tx, own.id, { byId: created.key.id, overlapS: overlapHours * 3_600 });
    await requireRoom(tx, own.accountId);
    return created;
  });

const factsOf = (key: ApiKeyRow): KeyFacts => ({
  accountId: key.accountId,
  name: key.name,
  kind: key.kind,
  scopes: keyScopes.filter((scope) => key.scopes.includes(scope)),
  expiresAt: key.expiresAt && new Date(Date.now() + key.expiresAt.getTime() - key.createdAt.getTime()),
  monthlyCap: key.monthlyCap,
  callsPerMinute: key.callsPerMinute,
  addresses: key.addresses,
});
