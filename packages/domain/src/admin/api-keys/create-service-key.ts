import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { serviceScopes } from '@uprez/contracts/schemas/api-keys';
import type { AdminApiKey } from '@uprez/contracts/schemas/security/admin-api-keys';
import { lockServiceKeys } from '@uprez/db/locks';
import { countAdminKeys, lockAdminKey } from '@uprez/db/queries/api-keys/admin-api-keys';
import { insertApiKey } from '@uprez/db/queries/api-keys/api-keys';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { uuidv7 } from 'uuidv7';
import { createKeySecret, hashKeySecret, previewKeySecret } from '../../api-keys/key-secret.ts';
import type { Needs } from '../../context.ts';
import { type Administrator, auditedBy, lockAdmin } from '../administrator.ts';
import { keyFacts, keySubject } from './change-any-key.ts';
import { presentAdminKey } from './list-all-keys.ts';

/** `secret` is shown once and not stored. */
type CreatedServiceKey = { key: AdminApiKey; secret: string };

/**
 * Creates a service key, which belongs to the installation and outlives its creator's account. Throws `api_key_limit`.
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
      ...auditedBy(admin),
      ...{ action: 'api_key.create', subject: keySubject(key) },
      before: { apiKey: null },
      after: { apiKey: keyFacts(key) },
    });
    return { key: presentAdminKey(key), secret };
  });
