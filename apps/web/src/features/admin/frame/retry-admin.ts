import { ApiError } from '@uprez/client/api-error';

const maxRetries = 3;

/**
 * Whether a query of the dashboard is retried: up to three times, but not if the session or the permission is missing.
 */
export const retryAdmin = (failures: number, error: Error): boolean =>
  failures < maxRetries && !(error instanceof ApiError && [401, 403].includes(error.status));
