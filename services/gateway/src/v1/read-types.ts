import type { Endpoint } from '@uprez/contracts/endpoints/endpoint';
import { endpoints } from '@uprez/contracts/endpoints/endpoints';
import type { FastifyRequest } from 'fastify';
import { routeOf } from '../http/route-of.ts';

/** Lists the content types that an endpoint accepts, for error messages. */
export function readTypes(request: FastifyRequest): string[] {
  const name = routeOf(request)?.name;
  const docs = name && (endpoints[name] as Endpoint).docs;
  return docs?.requestBodies ? Object.keys(docs.requestBodies) : ['application/json'];
}
