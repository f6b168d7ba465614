import { type ApiKeySort, apiKeySorts } from '@uprez/contracts/policy/admin/tables';
import { keyScopes, serviceScopes } from '@uprez/contracts/schemas/api-keys';
import type { AdminApiKey } from '@uprez/contracts/schemas/security/admin-api-keys';
import {
  type AdminKeyRow,
  countAdminKeys,
  type KeyFilter,
  listAdminKeys,
} from '@uprez/db/queries/api-keys/admin-api-keys';
import type { Needs } from '../../context.ts';
import { readAll, readPage, type TablePage, type TableQuery } from '../../read-table.ts';

const tableOf = ({ db }: Needs<'db'>, filter: KeyFilter) => ({
  list: (page: Parameters<typeof listAdminKeys>[1]) => listAdminKeys(db, { ...filter, ...page }),
  count: () => countAdminKeys(db, filter),
});

/** Returns a page of all API keys: those of accounts and service keys. Throws `invalid_parameter`. */
export async function listAllKeys(
  ctx: Needs<'db'>,
  { sort = apiKeySorts[0], cursor, limit, ...filter }: KeyFilter & TableQuery<ApiKeySort>,
): Promise<TablePage<AdminApiKey>> {
  const page = await readPage({ list: 'api-keys', sort, cursor, limit }, tableOf(ctx, filter));
  return { ...page, rows: page.rows.map(presentAdminKey) };
}

/** Streams the API keys that match a filter, page by page. Throws `export_too_large`. */
export async function exportAllKeys(
  ctx: Needs<'db'>,
  { sort = apiKeySorts[0], ...filter }: KeyFilter & { sort?: ApiKeySort | undefined },
): Promise<AsyncIterable<AdminApiKey[]>> {
  const pages = await readAll(sort, tableOf(ctx, filter));
  return (async function* presented() {
    for await (const rows of pages) yield rows.map(presentAdminKey);
  })();
}

const personOf = (id: string | null, name: string | null, email: string | null) =>
  id === null || email === null ? null : { id, name, email };

/** Maps a key for administrators, without its secret. */
export function presentAdminKey(row: AdminKeyRow): AdminApiKey {
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
