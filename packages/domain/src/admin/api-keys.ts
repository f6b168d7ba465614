import { AppError } from '@uprez/contracts/errors/app-error';
import { apiKeySorts } from '@uprez/contracts/policy/admin/tables';
import { limits } from '@uprez/contracts/policy/limits';
import type { AdminApiKey } from '@uprez/contracts/schemas/admin/security';
import { keyScopes, serviceScopes } from '@uprez/contracts/schemas/api-keys';
import type { Tx } from '@uprez/db/database';
import { lockServiceKeys } from '@uprez/db/locks';
import {
  type AdminKeyRow,
  countAdminKeys,
  findAdminKey,
  type KeyFilter,
  listAdminKeys,
  lockAdminKey,
} from '@uprez/db/queries/api-keys/admin-api-keys';
import { insertApiKey, updateApiKey } from '@uprez/db/queries/api-keys/api-keys';
import { deleteAnyKey } from '@uprez/db/queries/api-keys/delete-api-keys';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { uuidv7 } from 'uuidv7';
import { getByUuid } from '../actor.ts';
import { createKeySecret, hashKeySecret, previewKeySecret } from '../api-keys/key-secret.ts';
import type { Needs } from '../context.ts';
import { defineTable } from '../read-table.ts';
import { type Administrator, lockAdmin, requireRoleNotAbove, toAuditFields } from './administrator.ts';

const apiKeys = defineTable({
  name: 'api-keys',
  sorts: apiKeySorts,
  list: listAdminKeys,
  count: (db, filter: KeyFilter) => countAdminKeys(db, filter),
  present: (rows) => rows.map(presentAdminKey),
});

/** Returns a page of all API keys, including service keys. Throws `invalid_parameter`. */
export const listAllKeys = apiKeys.page;

/** Streams the API keys that match a filter, page by page. Throws `export_too_large`. */
export const exportAllKeys = apiKeys.export;

const personOf = (id: string | null, name: string | null, email: string | null) =>
  id === null || email === null ? null : { id, name, email };

function presentAdminKey(row: AdminKeyRow): AdminApiKey {
  const { id, name, preview, kind, isActive, isExpired, usageCount } = row;
  return {
    ...{ id, name, keyPreview: preview, kind, isActive, isExpired, usageCount },
    scopes: [...keyScopes, ...serviceScopes].filter((scope) => row.scopes.includes(scope)),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsed: row.lastUsedAt?.toISOString() ?? null,
    owner: personOf(row.accountId, row.ownerName, row.ownerEmail),
    creator: personOf(row.createdBy, row.creatorName, row.creatorEmail),
  };
}

/** `secret` is shown once and not stored. */
type CreatedServiceKey = { key: AdminApiKey; secret: string };

/**
 * Creates a service key. It belongs to the installation, so it still works after its creator's account is deleted.
 * Throws `api_key_limit`.
 */
export const createServiceKey = (
  ctx: Needs<'db'>,
  { admin, name }: { admin: Administrator; name: string },
): Promise<CreatedServiceKey> =>
  ctx.db.transaction().execute(async (tx) => {
    await lockAdmin(tx, admin);
    await lockServiceKeys(tx);
    if ((await countAdminKeys(tx, { kind: 'service' })) >= limits.serviceKeys)
      throw new AppError('api_key_limit', {
        detail: `You've reached the maximum of ${limits.serviceKeys} service keys. Delete one first.`,
        meta: { limit: limits.serviceKeys },
      });
    const { accountId: createdBy } = admin;
    const [id, secret] = [uuidv7(), createKeySecret('service')];
    const stored = { secretHash: hashKeySecret(secret), preview: previewKeySecret(secret), scopes: [...serviceScopes] };
    await insertApiKey(tx, { id, accountId: null, createdBy, name, kind: 'service', ...stored });
    const key = await lockAdminKey(tx, id);
    if (!key) throw new Error(`the key ${id} is gone in its own transaction`);
    await insertAudit(tx, {
      ...toAuditFields(admin),
      ...{ action: 'api_key.create', subject: keySubject(key) },
      before: { apiKey: null },
      after: { apiKey: toAuditedKey(key) },
    });
    return { key: presentAdminKey(key), secret };
  });

type KeyChange = { admin: Administrator; id: string };

/** Throws `api_key_not_found`, `role_above_own`, and the errors of `lockAdmin`. */
async function readKeyForAdmin(tx: Tx, { admin, id }: KeyChange, read: typeof findAdminKey): Promise<AdminKeyRow> {
  const actor = await lockAdmin(tx, admin);
  const key = await getByUuid(id, () => read(tx, id), 'api_key_not_found');
  requireRoleNotAbove(actor, key.ownerRole);
  return key;
}

const keySubject = ({ accountId, id }: Pick<AdminKeyRow, 'accountId' | 'id'>): string =>
  accountId === null ? `api_key:${id}` : `user:${accountId}`;

const toAuditedKey = ({ id, name, preview, isActive }: AdminKeyRow) => ({ id, name, preview, isActive });

/**
 * Activates or deactivates any account's key, starting with the key's next request. Throws `api_key_not_found`, or
 * `role_above_own` if the key belongs to an administrator with a higher role.
 */
export const setKeyActive = (
  ctx: Needs<'db'>,
  { admin, id, isActive }: KeyChange & { isActive: boolean },
): Promise<AdminApiKey> =>
  ctx.db.transaction().execute(async (tx) => {
    const key = await readKeyForAdmin(tx, { admin, id }, lockAdminKey);
    if (key.isActive === isActive) return presentAdminKey(key);
    await updateApiKey(tx, key.id, { isActive });
    const changed = { ...key, isActive };
    const action = isActive ? 'api_key.activate' : 'api_key.deactivate';
    await insertAudit(tx, {
      ...toAuditFields(admin),
      ...{ action, subject: keySubject(key) },
      before: { apiKey: toAuditedKey(key) },
      after: { apiKey: toAuditedKey(changed) },
    });
    return presentAdminKey(changed);
  });

/**
 * Deletes any account's key, along with the key's usage counts. Keeps its jobs. Throws the errors of `setKeyActive`.
 */
export const deleteKey = (ctx: Needs<'db'>, { admin, id }: KeyChange): Promise<void> =>
  ctx.db.transaction().execute(async (tx) => {
    // Doesn't lock the key here, because the deletion locks it after its batches and jobs.
    const key = await readKeyForAdmin(tx, { admin, id }, findAdminKey);
    if ((await deleteAnyKey(tx, key.id)) === 0) throw new AppError('api_key_not_found');
    await insertAudit(tx, {
      ...toAuditFields(admin),
      ...{ action: 'api_key.delete', subject: keySubject(key) },
      before: { apiKey: toAuditedKey(key) },
      after: { apiKey: null },
    });
  });
