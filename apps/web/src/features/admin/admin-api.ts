import { createClient } from '@uprez/client/create-client';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { fetchWithStepUp } from '../../lib/api/api.ts';

/** The calls of administrators. Apart from `api`, because visitors don't load them. */
export const adminApi = createClient(adminRoutes, { fetch: fetchWithStepUp });
