import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { keyScopes } from '@uprez/contracts/schemas/api-keys';
import { type ApiKeyRow, replaceApiKey } from '@uprez/db/queries/api-keys/api-keys';
import type { Needs } from '../context.ts';
import {
  type CreatedKey,
  type KeyFacts,
  lockKeyOwner,
  makeKey,
  requireMayHaveKeys,
  requireRoom,
} from './create-api-key.ts';
import { lockOwnApiKey, type OwnKey } from './get-api-key.ts';

/**
 * Replace a key by a new one with the same limits. The former works for the overlap. Throws `api_key_not_found`,
 * `api_key_replaced`, and the errors of creating a key.
 */
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
