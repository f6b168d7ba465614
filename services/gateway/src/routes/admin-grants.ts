import { grantUnits } from '@uprez/domain/admin/grant-units';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { contract } from '../http/contract.ts';
import { requireAdmin } from '../http/require-admin.ts';
import { presentGrant } from '../presenters/present-ledger.ts';

export function registerAdminGrantRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('adminGrantUnits'),
    handler: async (request, reply) => {
      const { expiresAt, ...grant } = request.body;
      const wish = { ...grant, userId: request.params.id, expiresAt: new Date(expiresAt) };
      return reply.status(201).send(presentGrant(await grantUnits(deps, await requireAdmin(deps, request), wish)));
    },
  });
}
