import { createClient } from '@uprez/client/create-client';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { fetchWithStepUp } from '../../lib/api/api.ts';

/** Client of the admin API. Separate from `api`, so that visitors don't load it. */
export const adminApi = createClient(adminRoutes, { fetch: fetchWithStepUp });
