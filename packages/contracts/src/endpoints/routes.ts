import { apiRoutes } from './routes-api.ts';
import { v1Routes } from './routes-v1.ts';

/** Name -> method and path of every call. */
export const routes = { ...apiRoutes, ...v1Routes } as const;
export type RouteName = keyof typeof routes;
