import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { api } from '../../lib/api/api.ts';
import { tellFailure } from '../../lib/api/tell-failure.ts';
import { announce } from '../../lib/notifications/announce.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import type { keyChangeBody } from './key-draft.ts';
import { apiKeysMessages } from './messages.ts';
import { apiKeysKey } from './use-api-keys.ts';

const text = apiKeysMessages;
const toggling = ['toggle', ...apiKeysKey];

/** Rows in which one key has other values. */
const withKey = (id: string, values: Partial<ApiKeyView>) => (rows: ApiKeyView[] | undefined) =>
  rows?.map((row) => (row.id === id ? { ...row, ...values } : row));

/** Turn a key on or off: shown at once, and as it was again where the server refuses. */
export function useToggleKey({ id, name }: ApiKeyView) {
  const queryClient = useQueryClient();
  const show = (isActive: boolean) => queryClient.setQueryData(apiKeysKey, withKey(id, { isActive }));
  return useMutation({
    networkMode: 'always',
    mutationKey: toggling,
    // One after the other: the last press decides.
    scope: { id: `toggle ${id}` },
    mutationFn: async (isActive: boolean) => {
      await api.toggleApiKey({ params: { id }, body: { isActive } });
    },
    onMutate: async (isActive) => {
      // An answer that is under way would show the switch as it was.
      await queryClient.cancelQueries({ queryKey: apiKeysKey });
      show(isActive);
    },
    onSuccess: (_, isActive) => announce(isActive ? text.row.turnedOn(name) : text.row.turnedOff(name)),
    onError: (error, isActive) => {
      show(!isActive);
      tellFailure(text.row.updateFailed)(error);
    },
    onSettled: () => {
      // With another switch under way, the one that ends last reads the list.
      if (queryClient.isMutating({ mutationKey: toggling }) > 1) return;
      return queryClient.invalidateQueries({ queryKey: apiKeysKey });
    },
  });
}

/** Rename a key or change its limits. */
export function useChangeKey({ id }: ApiKeyView) {
  const queryClient = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: async (body: ReturnType<typeof keyChangeBody>) =>
      (await api.updateApiKey({ params: { id }, body })).data,
    onSuccess: (key) => {
      queryClient.setQueryData(apiKeysKey, withKey(id, key));
      showToast({ title: text.row.updated });
    },
    onError: tellFailure(text.row.updateFailed),
    onSettled: () => queryClient.invalidateQueries({ queryKey: apiKeysKey }),
  });
}

/** Delete a key. */
export function useDeleteKey({ id, name }: ApiKeyView) {
  const queryClient = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: async () => {
      await api.deleteApiKey({ params: { id } });
    },
    onSuccess: () => {
      queryClient.setQueryData(apiKeysKey, (rows: ApiKeyView[] | undefined) => rows?.filter((row) => row.id !== id));
      announce(text.remove.done(name));
    },
    onError: tellFailure(text.remove.failed),
    onSettled: () => queryClient.invalidateQueries({ queryKey: apiKeysKey }),
  });
}
