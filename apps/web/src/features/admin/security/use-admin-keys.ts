import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { AdminApiKey } from '@uprez/contracts/schemas/security/admin-api-keys';
import { errorMessage, hasErrorCode } from '../../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { adminApi } from '../admin-api.ts';
import { keyMessages as text } from './key-messages.ts';

const listKey = [adminRoutes.adminListApiKeys.path] as const;
const toggleKey = ['toggle', ...listKey];
type Pages = InfiniteData<{ rows: AdminApiKey[] }>;

/** Copies the pages of a table, with one key activated or deactivated. */
const withActive = (id: string, isActive: boolean) => (data: Pages | undefined) =>
  data && {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      rows: page.rows.map((row) => (row.id === id ? { ...row, isActive } : row)),
    })),
  };

/** Shows what failed, and the reason. An ended session is left to the page, which leads to the sign-in. */
function showFailure(what: string, error: unknown): void {
  if (hasErrorCode(error, 'not_signed_in')) return;
  showToast({ title: text.error, description: `${what}. ${errorMessage(error)}`, destructive: true });
}

/** Activates or deactivates a key. The table shows the change at once, and reverts it if the call fails. */
export function useToggleKey(id: string) {
  const queryClient = useQueryClient();
  const show = (isActive: boolean) =>
    queryClient.setQueriesData<Pages>({ queryKey: listKey }, withActive(id, isActive));
  return useResourceMutation<unknown, boolean>({
    mutationKey: toggleKey,
    // Toggles of one key run in sequence, so the last one wins.
    scope: { id: `toggle ${id}` },
    call: (isActive) => adminApi.adminToggleApiKey({ params: { id }, body: { isActive } }),
    onMutate: async (isActive) => {
      // A response to an earlier request would revert the switch.
      await queryClient.cancelQueries({ queryKey: listKey });
      show(isActive);
    },
    onSuccess: () => showToast({ title: text.success, description: text.updated }),
    onError: (error, isActive) => {
      show(!isActive);
      showFailure(text.updateFailed, error);
    },
    onSettled: async () => {
      // If other toggles are pending, the last one refetches the table.
      if (queryClient.isMutating({ mutationKey: toggleKey }) <= 1)
        await queryClient.invalidateQueries({ queryKey: listKey });
    },
  });
}

/** Creates a service key. The call returns its secret, which isn't cached. */
export function useCreateServiceKey(onCreated: (created: { name: string; secret: string }) => void) {
  const queryClient = useQueryClient();
  return useResourceMutation({
    call: async (body: { name: string }): Promise<void> => {
      const { name, key: secret } = (await adminApi.adminCreateServiceKey({ body })).data;
      onCreated({ name, secret });
      showToast({ title: text.success, description: text.createDone });
    },
    // Not awaited: the key is shown before the table is refetched.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: listKey }),
  });
}

export const useDeleteKey = (onDone: () => void) =>
  useResourceMutation({
    call: ({ id }: AdminApiKey) => adminApi.adminDeleteApiKey({ params: { id } }),
    invalidates: [listKey],
    onSuccess: (_, { name }) => {
      onDone();
      showToast({ title: text.success, description: text.remove.done(name) });
    },
    onError: (error) => showFailure(text.remove.failed, error),
  });
