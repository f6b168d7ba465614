import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { keyScopes } from '@uprez/contracts/schemas/api-keys';
import { replaceApiKey, updateApiKey } from '@uprez/db/queries/api-keys/api-keys';
import { readClock } from '@uprez/db/times';
import type { Needs } from '../context.ts';
import {
  type CreatedKey,
  type KeyLimits,
  lockKeyOwner,
  makeKey,
  requireFuture,
  requireMayHaveKeys,
  requireRoom,
} from './create-api-key.ts';
import { getApiKey, lockOwnApiKey, type OwnKey } from './get-api-key.ts';

/** Absent fields stay unchanged. Null removes the key's own limit. */
export type KeyChange = { name?: string | undefined; isActive?: boolean | undefined } & KeyLimits;

/** Changes a key. Throws `api_key_not_found`, `invalid_parameter` for an end in the past, or `api_key_replaced`. */
export const changeApiKey = (ctx: Needs<'db'>, { change, ...own }: { change: KeyChange } & OwnKey) =>
  ctx.db.transaction().execute(async (tx) => {
    const before = await lockOwnApiKey(tx, own);
    if (change.expiresAt !== undefined && before.replacedBy !== null) throw new AppError('api_key_replaced');
    const { name, isActive, expiresAt, monthlyCap, callsPerMinute } = change;
    const addresses = change.addresses && [...change.addresses];
    const allowedOrigins = change.allowedOrigins && [...change.allowedOrigins];
    const values = { name, isActive, expiresAt, monthlyCap, callsPerMinute, addresses, allowedOrigins };
    if (Object.values(values).every((value) => value === undefined)) return before;
    await updateApiKey(tx, own.id, values);
    const after = await getApiKey(tx, own);
    if (expiresAt !== undefined) requireFuture(after);
    return after;
  });

/**
 * Replaces a key with a new one that has the same limits. The former key keeps working for `overlapHours`. Throws
 * `api_key_replaced`.
 */
export const rotateApiKey = (
  ctx: Needs<'db'>,
  { overlapHours = limits.apiKeyOverlapHours, ...own }: { overlapHours?: number | undefined } & OwnKey,
): Promise<CreatedKey> =>
  ctx.db.transaction().execute(async (tx) => {
    const owner = await lockKeyOwner(tx, own.accountId);
    const former = await lockOwnApiKey(tx, own);
    requireMayHaveKeys(owner, former.kind);
    if (former.replacedBy !== null) throw new AppError('api_key_replaced');
    const { createdAt, expiresAt: end, scopes: held } = former;
    const expiresAt = end && new Date((await readClock(tx)).getTime() + end.getTime() - createdAt.getTime());
    const scopes = keyScopes.filter((scope) => held.includes(scope));
    const created = await makeKey(tx, { ...former, scopes, expiresAt });
    await replaceApiKey(tx, own.id, { byId: created.key.id, overlapS: overlapHours * 3_600 });
    await requireRoom(tx, own.accountId);
    return created;
  });
