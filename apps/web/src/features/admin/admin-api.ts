import { ApiError } from '@uprez/client/api-error';
import { createClient } from '@uprez/client/create-client';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { fetchWithStepUp } from '../../lib/api/api.ts';

/** Client for the admin API. Separate from `api`, because visitors shouldn't have to load it. */
export const adminApi = createClient(adminRoutes, { fetch: fetchWithStepUp });

const maxRetries = 3;

/** Whether to retry a dashboard query. Retries up to three times, but never after a 401 or 403. */
export const shouldRetryAdminQuery = (failures: number, error: Error): boolean =>
  failures < maxRetries && !(error instanceof ApiError && [401, 403].includes(error.status));
