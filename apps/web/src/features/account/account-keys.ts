import { routes } from '@uprez/contracts/endpoints/routes';

/** Query keys of what the account page lists. */
export const exportsKey = [routes.listExports.path] as const;
export const sessionsKey = [routes.listSessions.path] as const;
