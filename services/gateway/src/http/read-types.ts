import type { RouteName } from '@uprez/contracts/routes';
import type { FastifyRequest } from 'fastify';
import { routeOf } from './route-of.ts';

const json = ['application/json'];
const picture = ['multipart/form-data', 'image/*', 'application/octet-stream', ...json];
const batch = [...json, 'multipart/form-data'];
const known: Partial<Record<RouteName, string[]>> = {
  v1Process: picture,
  v1Resize: picture,
  v1CreateBatch: batch,
  v1Bulk: batch,
};

/** The content types that a call of the public API reads, for refusals. */
export function readTypes(request: FastifyRequest): string[] {
  const name = routeOf(request)?.name;
  return (name && known[name]) ?? json;
}
