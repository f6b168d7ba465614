import { type QueryKey, type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { showErrorToast } from './api-errors.ts';

type ResourceMutationOptions<Data, Input, Context> = Omit<
  UseMutationOptions<Data, Error, Input, Context>,
  'mutationFn'
> & {
  call: (input: Input) => Promise<Data>;
  /** Query keys to refetch after the call succeeds or fails. The mutation stays pending until they are refetched. */
  invalidates?: readonly QueryKey[];
  /** Title of the toast for a failed call. Without it, the caller shows the error. */
  errorTitle?: string;
};

/** Creates a mutation that changes a resource: refetches the affected queries, and shows a failure in a toast. */
export function useResourceMutation<Data = void, Input = void, Context = unknown>({
  call,
  invalidates = [],
  errorTitle,
  onError,
  ...options
}: ResourceMutationOptions<Data, Input, Context>) {
  const queryClient = useQueryClient();
  return useMutation<Data, Error, Input, Context>({
    // Offline, the call fails immediately instead of waiting for a connection.
    networkMode: 'always',
    onSettled: () => Promise.all(invalidates.map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
    ...options,
    mutationFn: (input) => call(input),
    onError: (error, ...rest) => {
      if (errorTitle !== undefined) showErrorToast(errorTitle, error);
      return onError?.(error, ...rest);
    },
  });
}
