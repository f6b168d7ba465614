import type { FastifyInstance } from 'fastify';

/**
 * Completes requests that this process sends to itself with `app.inject`. They lack what Node's parser sets: the whole body
 * is there from the beginning, and their headers are ours.
 */
export function registerLocalRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if ('isLightMyRequest' in raw) Object.assign(raw, { complete: true, headersDistinct: {} });
  });
}
