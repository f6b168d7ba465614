import { changeApiKey } from '@uprez/domain/api-keys/change-api-key';
import { createApiKey } from '@uprez/domain/api-keys/create-api-key';
import { deleteApiKey, getKeyUsage, listApiKeys } from '@uprez/domain/api-keys/get-api-key';
import { rotateApiKey } from '@uprez/domain/api-keys/rotate-api-key';
import type { FastifyRequest } from 'fastify';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireActor } from '../../http/authenticate.ts';
import { contract } from '../../http/contract.ts';
import { presentApiKey } from './present-api-key.ts';

/** Keys of the public API, as their owner makes and ends them. */
export function registerApiKeyRoutes(app: App, deps: Deps): void {
  const ownOf = async (request: FastifyRequest, { id }: { id: string }) => ({
    accountId: (await requireActor(deps, request)).accountId,
    id,
  });
  app.route({
    ...contract('listApiKeys'),
    handler: async (request, reply) => {
      const { accountId } = await requireActor(deps, request);
      return reply.status(200).send((await listApiKeys(deps, accountId)).map(presentApiKey));
    },
  });
  app.route({
    ...contract('createApiKey'),
    handler: async (request, reply) => {
      const { accountId } = await requireActor(deps, request);
      const { key, secret } = await createApiKey(deps, { accountId, ...request.body });
      return reply.status(201).send({ ...presentApiKey(key), key: secret });
    },
  });
  for (const name of ['toggleApiKey', 'updateApiKey'] as const)
    app.route({
      ...contract(name),
      handler: async (request, reply) => {
        const key = await changeApiKey(deps, { ...(await ownOf(request, request.params)), change: request.body });
        return reply.status(200).send(presentApiKey(key));
      },
    });
  app.route({
    ...contract('rotateApiKey'),
    handler: async (request, reply) => {
      const own = await ownOf(request, request.params);
      const { key, secret } = await rotateApiKey(deps, { ...own, overlapHours: request.body?.overlapHours });
      return reply.status(201).send({ ...presentApiKey(key), key: secret });
    },
  });
  app.route({
    ...contract('deleteApiKey'),
    handler: async (request, reply) => {
      await deleteApiKey(deps, await ownOf(request, request.params));
      return reply.status(204).send(null);
    },
  });
  app.route({
    ...contract('apiKeyUsage'),
    handler: async (request, reply) =>
      reply.status(200).send(await getKeyUsage(deps, await ownOf(request, request.params))),
  });
}
