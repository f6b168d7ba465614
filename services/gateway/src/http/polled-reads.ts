import type { RouteName } from '@uprez/contracts/endpoints/routes';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { routeOf } from './contract.ts';

/** What open pages of the web app read every few seconds. */
const polledReads: ReadonlySet<RouteName> = new Set([
  'adminNotices',
  'adminJobOverview',
  'adminListPools',
  'dashboardStats',
  'listApiKeys',
  'getStatus',
]);

/** Whether a response is one of many that a page reads without its user, and nothing failed. */
export function isPolledRead(request: FastifyRequest, { statusCode }: Pick<FastifyReply, 'statusCode'>): boolean {
  const name = routeOf(request)?.name;
  return name !== undefined && polledReads.has(name) && statusCode < 400;
}
