import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { announce } from '../notifications/announce.ts';
import { showErrorToast } from './api-errors.ts';
import { useResourceMutation } from './use-resource-mutation.ts';

type Activatable = { id: string; isActive: boolean };

type ActiveToggleOptions = {
  listKey: QueryKey;
  id: string;
  call: (isActive: boolean) => Promise<unknown>;
  /** Returns the announcement for screen readers after a change. */
  announcement: (isActive: boolean) => string;
  errorTitle: string;
};

export const toggleKey = (listKey: QueryKey) => ['toggle', ...listKey];

/** Returns a function that copies a cached list with some values of one row replaced. */
export const replaceValues =
  <Row extends { id: string }>(id: string, values: Partial<Row>) =>
  (rows: Row[] | undefined) =>
    rows?.map((row) => (row.id === id ? { ...row, ...values } : row));

/** Activates or deactivates a resource. The list shows the change immediately and reverts it if the call fails. */
export function useActiveToggle({ listKey, id, call, announcement, errorTitle }: ActiveToggleOptions) {
  const queryClient = useQueryClient();
  const mutationKey = toggleKey(listKey);
  const show = (isActive: boolean) => queryClient.setQueryData(listKey, replaceValues<Activatable>(id, { isActive }));
  return useResourceMutation<unknown, boolean>({
    mutationKey,
    // Toggles of one resource run in sequence, so the last one wins.
    scope: { id: `toggle ${id}` },
    call,
    onMutate: async (isActive) => {
      // Cancels pending requests for the list, because an earlier response would revert the switch.
      await queryClient.cancelQueries({ queryKey: listKey });
      show(isActive);
    },
    onSuccess: (_, isActive) => announce(announcement(isActive)),
    onError: (error, isActive) => {
      show(!isActive);
      showErrorToast(errorTitle, error);
    },
    onSettled: async () => {
      // If other toggles are pending, the last of them refetches the list.
      if (queryClient.isMutating({ mutationKey }) <= 1) await queryClient.invalidateQueries({ queryKey: listKey });
    },
  });
}
