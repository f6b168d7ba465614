import { deleteKey, setKeyActive } from '@uprez/domain/admin/api-keys/change-any-key';
import { createServiceKey } from '@uprez/domain/admin/api-keys/create-service-key';
import { exportAllKeys, listAllKeys } from '@uprez/domain/admin/api-keys/list-all-keys';
import type { Deps } from '../../deps.ts';
import { requireAdmin } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { rowsOfPage } from '../../http/public-links.ts';
import { apiKeyColumns } from './export-columns.ts';
import { sendExport } from './send-export.ts';

/** Handlers for the API keys of all accounts, and for service keys. */
export const adminKeyHandlers = (deps: Deps) =>
  defineHandlers({
    adminListApiKeys: async (request, reply) => rowsOfPage(reply, await listAllKeys(deps, request.query)),
    adminExportApiKeys: async (request, reply) => {
      const pages = await exportAllKeys(deps, request.query);
      return sendExport(reply, { name: 'apiKeys', columns: apiKeyColumns, pages, query: request.query });
    },
    adminCreateServiceKey: async (request, reply) => {
      const created = await createServiceKey(deps, { admin: await requireAdmin(deps, request), ...request.body });
      return reply.status(201).send({ ...created.key, key: created.secret });
    },
    adminToggleApiKey: async (request) => {
      const change = { ...request.params, ...request.body };
      return setKeyActive(deps, { admin: await requireAdmin(deps, request), ...change });
    },
    adminDeleteApiKey: async (request, reply) => {
      await deleteKey(deps, { admin: await requireAdmin(deps, request), ...request.params });
      return reply.status(204).send(null);
    },
  });
