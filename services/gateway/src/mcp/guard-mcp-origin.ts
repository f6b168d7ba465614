import { AppError } from '@uprez/contracts/errors/app-error';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { waitForNetwork } from '../http/request-callers.ts';
import { isListedOrigin } from '../v1/cors.ts';

/**
 * Rejects requests of pages of other origins, as the protocol requires: a page whose host name was pointed at a local
 * gateway (DNS rebinding) has that name in `Host`, too, so `Origin` isn't compared with it. Other programs send no origin.
 */
export function guardMcpOrigin(deps: Pick<Deps, 'config' | 'settings' | 'keyOrigins'>) {
  const own = new URL(deps.config.PUBLIC_URL).origin;
  return async (request: FastifyRequest): Promise<void> => {
    const { origin } = request.headers;
    if (origin === undefined || origin === own || (await isListedOrigin(deps, origin))) return;
    await waitForNetwork(request);
    throw new AppError('bad_origin');
  };
}
