import { AppError } from '@uprez/contracts/errors/app-error';
import type { AdminApiKey } from '@uprez/contracts/schemas/security/admin-api-keys';
import type { Tx } from '@uprez/db/database';
import { type AdminKeyRow, findAdminKey, lockAdminKey } from '@uprez/db/queries/api-keys/admin-api-keys';
import { updateApiKey } from '@uprez/db/queries/api-keys/api-keys';
import { deleteAnyKey } from '@uprez/db/queries/api-keys/delete-api-keys';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { isUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { type Administrator, auditedBy, lockAdmin, requireNotAbove } from '../administrator.ts';
import { presentAdminKey } from './list-all-keys.ts';

type KeyChange = { admin: Administrator; id: string };

/** Reads a key for a change. Throws `api_key_not_found`, `role_above_own`, and the errors of `lockAdmin`. */
async function readKeyForAdmin(tx: Tx, { admin, id }: KeyChange, read: typeof findAdminKey): Promise<AdminKeyRow> {
  const actor = await lockAdmin(tx, admin);
  const key = isUuid(id) ? await read(tx, id) : undefined;
  if (!key) throw new AppError('api_key_not_found');
  requireNotAbove(actor, key.ownerRole);
  return key;
}

/** Returns the audit subject of a key: its account, or the key itself for a service key. */
export const keySubject = ({ accountId, id }: Pick<AdminKeyRow, 'accountId' | 'id'>): string =>
  accountId === null ? `api_key:${id}` : `user:${accountId}`;

/** Returns the audited fields of a key. */
export const keyFacts = ({ id, name, preview, isActive }: AdminKeyRow) => ({ id, name, preview, isActive });

/**
 * Activates or deactivates a key of any account, effective with its next request. Throws `api_key_not_found`, or
 * `role_above_own` for a key of an administrator above the caller.
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
      ...auditedBy(admin),
      ...{ action, subject: keySubject(key) },
      before: { apiKey: keyFacts(key) },
      after: { apiKey: keyFacts(changed) },
    });
    return presentAdminKey(changed);
  });

/** Deletes a key of any account and its counts. Its jobs remain. Throws the errors of `setKeyActive`. */
export const deleteKey = (ctx: Needs<'db'>, { admin, id }: KeyChange): Promise<void> =>
  ctx.db.transaction().execute(async (tx) => {
    // The deletion locks the key itself, after its batches and jobs.
    const key = await readKeyForAdmin(tx, { admin, id }, findAdminKey);
    if ((await deleteAnyKey(tx, key.id)) === 0) throw new AppError('api_key_not_found');
    await insertAudit(tx, {
      ...auditedBy(admin),
      ...{ action: 'api_key.delete', subject: keySubject(key) },
      before: { apiKey: keyFacts(key) },
      after: { apiKey: null },
    });
  });
