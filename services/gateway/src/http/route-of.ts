import type { FastifyRequest } from 'fastify';
import type { RouteConfig } from './contract.ts';

/** What the route of a request declared; undefined for the web app's files and unknown addresses. */
export const routeOf = (request: FastifyRequest): RouteConfig | undefined => {
  const config = request.routeOptions.config as Partial<RouteConfig>;
  return config.auth && (config as RouteConfig);
};
