import { type ApiKeyView, keyScopes } from '@uprez/contracts/schemas/api-keys';
import { createServiceKey, deleteKey, exportAllKeys, listAllKeys, setKeyActive } from '@uprez/domain/admin/api-keys';
import { createApiKey } from '@uprez/domain/api-keys/create-api-key';
import {
  type ApiKey,
  changeApiKey,
  deleteApiKey,
  getKeyUsage,
  type KeyChange,
  listApiKeys,
  rotateApiKey,
} from '@uprez/domain/api-keys/own-api-keys';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requireAdmin } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { rowsOfPage } from '../../http/public-links.ts';
import { apiKeyColumns } from '../admin/export-columns.ts';
import { sendExport } from '../admin/send-export.ts';
import type { ApiAdapter } from '../api-adapter.ts';

export const apiKeyHandlers = ({ actorOf }: ApiAdapter, deps: Deps) => {
  const accountOf = async (request: FastifyRequest) => ({ accountId: (await actorOf(request)).accountId });
  const change = async (request: FastifyRequest, id: string, changes: KeyChange) =>
    presentApiKey(await changeApiKey(deps, { ...(await accountOf(request)), id, change: changes }));
  return defineHandlers({
    listApiKeys: async (request) => {
      const { accountId } = await accountOf(request);
      return (await listApiKeys(deps, accountId)).map(presentApiKey);
    },
    createApiKey: async (request, reply) => {
      const { key, secret } = await createApiKey(deps, { ...(await accountOf(request)), ...request.body });
      return reply.status(201).send({ ...presentApiKey(key), key: secret });
    },
    toggleApiKey: (request) => change(request, request.params.id, request.body),
    updateApiKey: (request) => change(request, request.params.id, request.body),
    rotateApiKey: async (request, reply) => {
      const own = { ...(await accountOf(request)), ...request.params };
      const { key, secret } = await rotateApiKey(deps, { ...own, overlapHours: request.body?.overlapHours });
      return reply.status(201).send({ ...presentApiKey(key), key: secret });
    },
    deleteApiKey: async (request, reply) => {
      await deleteApiKey(deps, { ...(await accountOf(request)), ...request.params });
      return reply.status(204).send(null);
    },
    apiKeyUsage: async (request) => getKeyUsage(deps, { ...(await accountOf(request)), ...request.params }),
  });
};

/** Presents a key without its secret, of which only a hash is stored. */
const presentApiKey = (key: ApiKey): ApiKeyView => ({
  id: key.id,
  name: key.name,
  keyPreview: key.preview,
  kind: key.kind,
  scopes: keyScopes.filter((scope) => key.scopes.includes(scope)),
  isActive: key.isActive,
  createdAt: key.createdAt.toISOString(),
  lastUsed: key.lastUsedAt?.toISOString() ?? null,
  lastAddress: key.lastAddress,
  usageCount: key.usageCount,
  expiresAt: key.expiresAt?.toISOString() ?? null,
  isExpired: key.isExpired,
  monthlyCap: key.monthlyCap,
  unitsThisMonth: key.unitsThisMonth,
  callsPerMinute: key.callsPerMinute,
  addresses: key.addresses,
  allowedOrigins: key.allowedOrigins,
  replacedBy: key.replacedBy,
});

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
