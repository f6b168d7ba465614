import { ApiError } from '@uprez/client/api-error';
import { userKey } from '../../../lib/api/queries.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { setBulk } from '../state/bulk-store.ts';

export const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401;

/** Pauses the list until the next sign-in, to which the page redirects. */
export function pauseForSignIn(): void {
  setBulk({ signedOut: true });
  queryClient.setQueryData(userKey, null);
}
