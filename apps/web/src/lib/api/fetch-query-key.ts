import type { QueryFunctionContext } from '@tanstack/react-query';
import { ApiError } from '@uprez/client/api-error';
import { accept, readResponse } from '@uprez/client/read-response';

/** Default query function: fetches the JSON at the path that the joined query key forms. Throws ApiError. */
export async function fetchQueryKey({ queryKey, signal }: QueryFunctionContext): Promise<unknown> {
  const response = await fetch(queryKey.join('/'), { credentials: 'include', headers: { accept }, signal });
  const { data } = await readResponse(response);
  return data;
}

/** The same, but null when the user is signed out. */
export async function fetchQueryKeyOrNull(context: QueryFunctionContext): Promise<unknown> {
  try {
    return await fetchQueryKey(context);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}
