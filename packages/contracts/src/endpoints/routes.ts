import { adminRoutes } from './routes-admin.ts';
import { apiRoutes } from './routes-api.ts';
import { mcpRoutes, serviceRoutes, v1Routes } from './routes-v1.ts';

/** A method and a path. Names in the path that begin with a colon are parameters. */
export type Route = { method: string; path: string };

export const browserRoutes = { ...apiRoutes, ...adminRoutes } as const;
export type BrowserRouteName = keyof typeof browserRoutes;
export const routes = { ...browserRoutes, ...v1Routes, ...serviceRoutes, ...mcpRoutes } as const;
export type RouteName = keyof typeof routes;
