import { readQuota } from '@uprez/domain/usage/read-quota';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { routeOf } from '../http/contract.ts';
import { findKey } from './bearer.ts';

const charged = 'x-credits-charged';

/** Whether a response reports remaining credits. Rate limits and server errors don't, to stay cheap. */
const tells = (request: FastifyRequest, { statusCode }: FastifyReply) =>
  (routeOf(request)?.scope === 'process' || routeOf(request)?.name === 'v1Account') &&
  statusCode !== 429 &&
  statusCode < 500;

/** Reports charged credits, remaining credits, and the next reset with responses of processing endpoints. */
export function registerCredits(app: FastifyInstance, deps: Pick<Deps, 'db' | 'log'>): void {
  app.addHook('onSend', async (request, reply) => {
    const key = findKey(request);
    if (!key || !tells(request, reply)) return;
    if (!reply.hasHeader(charged)) reply.header(charged, 0);
    try {
      const { meters, period } = await readQuota(deps, { actor: { accountId: key.accountId } });
      reply.headers({
        'x-credits-remaining': meters.reduce((sum, { left }) => sum + left, 0),
        'x-quota-reset': period.endsAt.toISOString(),
      });
    } catch (error) {
      deps.log.warn({ err: error }, 'remaining credits could not be read');
    }
  });
}
