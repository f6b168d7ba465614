import { MutationCache, QueryCache, QueryClient, type QueryFunctionContext } from '@tanstack/react-query';
import { ApiError, accept, readResponse } from '@uprez/client/api-error';
import type { User } from '@uprez/contracts/schemas/user';
import { hasErrorCode } from './api-errors.ts';
import { userKey } from './queries.ts';

/** Default query function: fetches the JSON at the path formed by joining the query key. Throws ApiError. */
export async function fetchByQueryKey({ queryKey, signal }: QueryFunctionContext): Promise<unknown> {
  const response = await fetch(queryKey.join('/'), { credentials: 'include', headers: { accept }, signal });
  const { data } = await readResponse(response);
  return data;
}

/** Returns null when the user is signed out. */
async function fetchByQueryKeyOrNull(context: QueryFunctionContext): Promise<unknown> {
  try {
    return await fetchByQueryKey(context);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Query of the signed-in user, which is null for visitors. */
export const userQuery = {
  queryKey: userKey,
  queryFn: (context: QueryFunctionContext) => fetchByQueryKeyOrNull(context) as Promise<User | null>,
};

/**
 * Error codes that require fetching the user again: a view of an account has ended, the administrator's role has
 * changed, or new terms of service have taken effect.
 */
const changedUserCodes = ['view_ended', 'admin_only', 'permission_missing', 'terms_not_accepted'] as const;

/**
 * Signs the user out in all components when a call fails because the session has ended. Fetches the current user for
 * all components when a call fails because the displayed user is outdated.
 */
function syncUserAfterError(error: Error) {
  if (hasErrorCode(error, 'not_signed_in')) queryClient.setQueryData(userKey, null);
  if (changedUserCodes.some((code) => hasErrorCode(error, code)))
    void queryClient.refetchQueries({ queryKey: userKey });
}

/** Queries are never stale, refetched, or retried by default: mutations and events invalidate them. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: syncUserAfterError }),
  mutationCache: new MutationCache({ onError: syncUserAfterError }),
  defaultOptions: {
    queries: {
      queryFn: fetchByQueryKey,
      staleTime: Number.POSITIVE_INFINITY,
      refetchInterval: false,
      refetchOnWindowFocus: false,
      retry: false,
    },
    mutations: { retry: false },
  },
});
