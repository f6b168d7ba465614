import { grantUnits } from '@uprez/domain/admin/grant-units';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { contract } from '../../http/contract.ts';
import { presentGrant } from '../usage/present-ledger.ts';
import { requireAdmin } from './require-admin.ts';

export function registerAdminGrantRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('adminGrantUnits'),
    handler: async (request, reply) => {
      const { expiresAt, ...grant } = request.body;
      const wish = { ...grant, userId: request.params.id, expiresAt: new Date(expiresAt) };
      return reply
        .status(201)
        .send(presentGrant(await grantUnits(deps, { admin: await requireAdmin(deps, request), ...wish })));
    },
  });
}
