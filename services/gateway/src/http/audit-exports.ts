import type { AdminRouteName } from '@uprez/contracts/endpoints/routes-admin';
import { auditExport } from '@uprez/domain/admin/audit/audit-requests';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { routeOf } from './contract.ts';
import { administratorOf } from './rejected-writes.ts';

/** Exports whose rows belong to one thing: the kind of what `:id` names. */
const owners: Partial<Record<AdminRouteName, string>> = {
  adminExportLedger: 'user',
  adminExportRedemptions: 'coupon',
};

/** `adminExportStripeEvents` -> `stripe events`. Undefined for other routes. */
const listOf = (name: string): string | undefined =>
  /^adminExport(\w+)$/
    .exec(name)?.[1]
    ?.replaceAll(/([A-Z])/g, ' $1')
    .trim()
    .toLowerCase();

/**
 * Adds a row to the audit log before the first byte of a list that an administrator exports. All exports have it: none names
 * itself. HEAD requests, by which the web app asks whether an export is possible, send no list.
 */
export function registerExportAudits(app: FastifyInstance, { db }: Pick<Deps, 'db'>): void {
  app.addHook('onSend', async (request, reply) => {
    const administrator = administratorOf(request);
    const route = routeOf(request);
    const list = route && listOf(route.name);
    if (!administrator || !list || reply.statusCode !== 200 || request.method === 'HEAD') return;
    const owner = owners[route.name as AdminRouteName];
    const { id } = request.params as { id?: string };
    const query = request.query as Record<string, unknown>;
    await auditExport(
      { db },
      {
        ...{ actorId: administrator.actorId, address: request.ip, requestId: request.id },
        subject: owner && id ? `${owner}:${id.toLowerCase()}` : `export:${list}`,
        accountId: typeof query.account === 'string' ? query.account : undefined,
        after: { list, format: 'csv', ...query },
      },
    );
  });
}
