import { type LedgerFilter, listLedger } from '@uprez/domain/usage/list-ledger';
import type { FastifyReply } from 'fastify';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireActor } from '../../http/authenticate.ts';
import { contract } from '../../http/contract.ts';
import { presentLedgerRow } from './present-ledger.ts';

type Asked = { accountId: string; path: string; query: LedgerFilter };

export function registerLedgerRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('listLedger'),
    handler: async (request, reply) => {
      const { accountId } = await requireActor(deps, request);
      return reply.status(200).send(await readPage(reply, { accountId, path: '/api/ledger', query: request.query }));
    },
  });
  app.route({
    ...contract('adminListLedger'),
    handler: async (request, reply) => {
      const { id: accountId } = request.params;
      const path = `/api/admin/users/${accountId}/ledger`;
      return reply.status(200).send(await readPage(reply, { accountId, path, query: request.query }));
    },
  });

  async function readPage(reply: FastifyReply, { accountId, path, query }: Asked) {
    const { rows, total, nextCursor } = await listLedger(deps, { accountId, ...query });
    reply.header('x-total-count', total);
    if (nextCursor !== undefined) {
      const next = new URLSearchParams({ cursor: String(nextCursor) });
      if (query.limit) next.set('limit', String(query.limit));
      reply.header('link', `<${path}?${next}>; rel="next"`);
    }
    return rows.map(presentLedgerRow);
  }
}
