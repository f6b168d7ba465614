import { AppError } from '@uprez/contracts/errors/app-error';
import { findField } from '@uprez/contracts/recipe/parse-recipe';
import type { FastifyRequest } from 'fastify';
import { routeOf } from '../http/contract.ts';

/** Routes that read their query strings themselves. */
const readers: readonly (string | undefined)[] = ['v1Process', 'v1Resize'];

/**
 * Throws `invalid_parameter` for query parameters of an endpoint that has none: an image option there would be ignored, and
 * the image charged. Links that are passed on, and event streams whose clients add parameters when they reconnect, may have
 * any.
 */
export function refuseUnknownQuery(request: FastifyRequest): void {
  const { schema } = request.routeOptions;
  const route = routeOf(request);
  if (route?.auth !== 'key' || schema?.querystring || readers.includes(route.name)) return;
  if (request.method === 'GET' && request.headers.accept?.includes('text/event-stream')) return;
  const [param] = Object.keys(request.query as object);
  if (param === undefined) return;
  const hint =
    findField(param) !== undefined && request.method !== 'GET' ? { hint: 'Send image options in the body.' } : {};
  throw new AppError('invalid_parameter', { detail: `Unknown parameter "${param.slice(0, 40)}".`, param, ...hint });
}
