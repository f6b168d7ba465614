import { ApiError } from '@uprez/client/api-error';
import { createClient } from '@uprez/client/create-client';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { fetchWithStepUp } from '../../lib/api/api.ts';

/** Client of the admin API. Separate from `api`, so that visitors don't load it. */
export const adminApi = createClient(adminRoutes, { fetch: fetchWithStepUp });

const maxRetries = 3;

/**
 * Whether a query of the dashboard is retried: up to three times, but not if the session or the permission is missing.
 */
export const shouldRetryAdminQuery = (failures: number, error: Error): boolean =>
  failures < maxRetries && !(error instanceof ApiError && [401, 403].includes(error.status));
