import { ApiError } from '@uprez/client/api-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { userKey } from './queries.ts';
import { queryClient } from './query-client.ts';

const refetch = vi.spyOn(queryClient, 'refetchQueries').mockResolvedValue();
afterEach(() => void refetch.mockClear());
afterAll(() => refetch.mockRestore());

/** Runs a query that the API refuses. */
async function fail(code: ErrorCode, status: number): Promise<void> {
  const error = new ApiError({ code, status }, 'Refused.');
  const query = queryClient.fetchQuery({ queryKey: ['refused', code], queryFn: () => Promise.reject(error) });
  await expect(query).rejects.toBe(error);
}

it.each(['permission_missing', 'admin_only', 'view_ended'] as const)('refetches the user after %s', async (code) => {
  await fail(code, 403);
  expect(refetch).toHaveBeenCalledExactlyOnceWith({ queryKey: userKey });
});

it('signs the user out after not_signed_in, and keeps the user after other errors', async () => {
  queryClient.setQueryData(userKey, { id: 'ada' });
  await fail('role_above_own', 403);
  expect(queryClient.getQueryData(userKey)).toEqual({ id: 'ada' });
  await fail('not_signed_in', 401);
  expect(queryClient.getQueryData(userKey)).toBeNull();
  expect(refetch).not.toHaveBeenCalled();
});
