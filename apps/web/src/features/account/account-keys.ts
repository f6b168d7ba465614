import { routes } from '@uprez/contracts/endpoints/routes';

/** Query keys of the lists on the account page. */
export const exportsKey = [routes.listExports.path] as const;
export const sessionsKey = [routes.listSessions.path] as const;
