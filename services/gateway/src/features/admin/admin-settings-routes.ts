import { writeSettings } from '@uprez/domain/admin/write-settings';
import { hidePassword } from '@uprez/domain/settings/mail-password';
import { getSettings } from '@uprez/domain/settings/open-settings';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { contract } from '../../http/contract.ts';
import { requireAdmin } from './require-admin.ts';

export function registerAdminSettingsRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('getSiteSettings'),
    handler: async (_request, reply) => reply.status(200).send(await getSettings(deps, 'site')),
  });
  app.route({
    ...contract('putSiteSettings'),
    handler: async (request, reply) => {
      const admin = await requireAdmin(deps, request);
      return reply.status(200).send(await writeSettings(deps, { admin, name: 'site', value: request.body }));
    },
  });
  app.route({
    ...contract('getEmailSettings'),
    handler: async (_request, reply) => reply.status(200).send(hidePassword(await getSettings(deps, 'email'))),
  });
  app.route({
    ...contract('putEmailSettings'),
    handler: async (request, reply) => {
      const { smtpPasswordSet: _shown, ...value } = request.body;
      const written = await writeSettings(deps, { admin: await requireAdmin(deps, request), name: 'email', value });
      return reply.status(200).send(hidePassword(written));
    },
  });
  app.route({
    ...contract('getSecuritySettings'),
    handler: async (_request, reply) => reply.status(200).send(await getSettings(deps, 'security')),
  });
  app.route({
    ...contract('putSecuritySettings'),
    handler: async (request, reply) => {
      const admin = await requireAdmin(deps, request);
      return reply.status(200).send(await writeSettings(deps, { admin, name: 'security', value: request.body }));
    },
  });
}
