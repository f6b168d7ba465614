import { acceptsAnyOrigin } from '@uprez/contracts/endpoints/endpoint';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { routeOf } from './contract.ts';
import { waitForNetwork } from './request-callers.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Rejects writes from pages of other sites (CSRF), by `Origin` and `Sec-Fetch-Site`. Only browsers send these headers. Rejected
 * writes of a network take turns.
 */
export function guardOrigin(config: Pick<Config, 'PUBLIC_URL'>) {
  const publicHost = new URL(config.PUBLIC_URL).host;
  return async (request: FastifyRequest): Promise<void> => {
    const route = routeOf(request);
    if (safeMethods.has(request.method) || (route && acceptsAnyOrigin(route.name))) return;
    const { origin } = request.headers;
    const site = request.headers['sec-fetch-site'];
    if (origin === undefined && (site === undefined || site === 'same-origin' || site === 'none')) return;
    const host = origin && URL.canParse(origin) ? new URL(origin).host : undefined;
    if (host !== undefined && (host === request.host || host === publicHost)) return;
    // Rate limits count accepted requests only, and a row of the access log is written for each address and endpoint.
    await waitForNetwork(request);
    throw new AppError('bad_origin');
  };
}
