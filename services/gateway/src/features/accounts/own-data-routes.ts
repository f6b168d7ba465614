import { deleteAccount, keepAccount } from '@uprez/domain/accounts/own-data/delete-account';
import { getExportFile, listExports, requestExport } from '@uprez/domain/accounts/own-data/exports';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireUser } from '../../http/authenticate.ts';
import { contract } from '../../http/contract.ts';
import { sendObject } from '../files/send-object.ts';
import { presentExport } from './present-export.ts';
import { presentUser } from './present-user.ts';
import { setSessionCookie } from './session-cookie.ts';

/** Taking one's data along, and leaving. */
export function registerOwnDataRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('requestExport'),
    handler: async (request, reply) => {
      const task = await requestExport(deps, { user: await requireUser(deps, request), ...request.body });
      return reply.status(202).send(presentExport(task));
    },
  });
  app.route({
    ...contract('listExports'),
    handler: async (request, reply) => {
      const tasks = await listExports(deps, { user: await requireUser(deps, request) });
      return reply.status(200).send(tasks.map(presentExport));
    },
  });
  app.route({
    ...contract('downloadExport'),
    handler: async (request, reply) => {
      const { object, createdAt } = await getExportFile(deps, {
        user: await requireUser(deps, request),
        id: request.params.id,
      });
      const filename = `export-${createdAt.toISOString().slice(0, 10)}.zip`;
      const sent = { object, mimeType: 'application/zip', filename, disposition: 'attachment' } as const;
      return sendObject(deps, { request, reply }, { ...sent, mayKeep: false, whenGone: 'export_not_found' });
    },
  });
  app.route({
    ...contract('deleteAccount'),
    handler: async (request, reply) => {
      const user = await requireUser(deps, request);
      const { deletesAt, sessionSecret } = await deleteAccount(deps, { user, ...request.body });
      await setSessionCookie(reply, deps.config, sessionSecret);
      return reply.status(202).send({ deletesAt: deletesAt.toISOString() });
    },
  });
  app.route({
    ...contract('keepAccount'),
    handler: async (request, reply) => {
      const user = await keepAccount(deps, { user: await requireUser(deps, request) });
      return reply.status(200).send(await presentUser(deps, user));
    },
  });
}
