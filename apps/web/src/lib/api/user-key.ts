import { routes } from '@uprez/contracts/endpoints/routes';

export const userKey = [routes.user.path] as const;
