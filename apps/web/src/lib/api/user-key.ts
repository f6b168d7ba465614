import { routes } from '@uprez/contracts/endpoints/routes';

/** Query key of the current user. */
export const userKey = [routes.user.path] as const;
