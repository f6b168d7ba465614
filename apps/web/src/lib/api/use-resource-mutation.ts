import { type QueryKey, type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { showErrorToast } from './api-errors.ts';

type ResourceMutationOptions<Data, Input, Context> = Omit<
  UseMutationOptions<Data, Error, Input, Context>,
  'mutationFn'
> & {
  call: (input: Input) => Promise<Data>;
  /** Query keys that are refetched when the call has ended, successful or not. The mutation is pending meanwhile. */
  invalidates?: readonly QueryKey[];
  /** Title of the toast for a failed call. Without it, the caller shows the error. */
  errorTitle?: string;
};

/** A call that changes a resource: refetches what it affects, and shows its failure in a toast. */
export function useResourceMutation<Data = void, Input = void, Context = unknown>({
  call,
  invalidates = [],
  errorTitle,
  onError,
  ...options
}: ResourceMutationOptions<Data, Input, Context>) {
  const queryClient = useQueryClient();
  return useMutation<Data, Error, Input, Context>({
    // Offline, the call fails at once instead of waiting for a connection.
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
