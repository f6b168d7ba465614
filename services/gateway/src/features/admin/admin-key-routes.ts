import { deleteKey, setKeyActive } from '@uprez/domain/admin/api-keys/change-any-key';
import { createServiceKey } from '@uprez/domain/admin/api-keys/create-service-key';
import { exportAllKeys, listAllKeys } from '@uprez/domain/admin/api-keys/list-all-keys';
import type { Deps } from '../../deps.ts';
import { requireAdmin } from '../../http/authenticate.ts';
import { linkNext } from '../../http/public-links.ts';
import type { ApiAdapter } from '../api-adapter.ts';
import { apiKeyColumns } from './export-columns.ts';
import { sendExport } from './send-export.ts';

/** API keys of all accounts, and service keys. */
export function registerAdminKeyRoutes({ route }: ApiAdapter, deps: Deps): void {
  route('adminListApiKeys', async (request, reply) => {
    const { rows, ...page } = await listAllKeys(deps, request.query);
    linkNext(reply, { path: '/api/admin/api-keys', query: request.query, ...page });
    return rows;
  });
  route('adminExportApiKeys', async (request, reply) => {
    const pages = await exportAllKeys(deps, request.query);
    return sendExport(reply, { name: 'apiKeys', columns: apiKeyColumns, pages, query: request.query });
  });
  route('adminCreateServiceKey', async (request, reply) => {
    const created = await createServiceKey(deps, { admin: await requireAdmin(deps, request), ...request.body });
    return reply.status(201).send({ ...created.key, key: created.secret });
  });
  route('adminToggleApiKey', async (request) => {
    const change = { ...request.params, ...request.body };
    return setKeyActive(deps, { admin: await requireAdmin(deps, request), ...change });
  });
  route('adminDeleteApiKey', async (request, reply) => {
    await deleteKey(deps, { admin: await requireAdmin(deps, request), ...request.params });
    return reply.status(204).send(null);
  });
}
