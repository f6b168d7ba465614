import type { Endpoint } from '@uprez/contracts/endpoints/endpoint';
import { endpoints } from '@uprez/contracts/endpoints/endpoints';
import type { FastifyRequest } from 'fastify';
import { routeOf } from './route-of.ts';

/** The content types that a call of the public API reads, for refusals. */
export function readTypes(request: FastifyRequest): string[] {
  const name = routeOf(request)?.name;
  const docs = name && (endpoints[name] as Endpoint).docs;
  return docs?.reads ? Object.keys(docs.reads) : ['application/json'];
}
