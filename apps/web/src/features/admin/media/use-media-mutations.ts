import type { MediaChanges } from '@uprez/contracts/schemas/content/media';
import { errorMessage, hasErrorCode } from '../../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { adminApi } from '../admin-api.ts';
import { mediaMessages as text } from './messages.ts';
import { mediaKeys } from './queries.ts';

/** Long enough to notice a mistake. */
const undoMs = 15_000;

export const useRestoreFile = () =>
  useResourceMutation({
    call: async (id: string) => (await adminApi.adminRestoreMedia({ params: { id } })).data,
    invalidates: mediaKeys,
    errorTitle: text.failure,
    onSuccess: () => showToast({ title: text.success, description: text.restored }),
  });

/** Deletes a file, and offers to restore it. The caller shows where a file is used that can't be deleted. */
export function useDeleteFile(onDeleted: () => void) {
  const restore = useRestoreFile();
  return useResourceMutation({
    call: async (id: string) => void (await adminApi.adminDeleteMedia({ params: { id } })),
    invalidates: mediaKeys,
    onError: (error) => {
      if (hasErrorCode(error, 'media_in_use') || hasErrorCode(error, 'not_signed_in')) return;
      showToast({
        title: text.failure,
        description: `${text.deleteFailed}. ${errorMessage(error)}`,
        destructive: true,
      });
    },
    onSuccess: (_, id) => {
      const action = { label: text.undo, run: () => restore.mutate(id) };
      showToast({ title: text.success, description: text.deleted, durationMs: undoMs, action });
      onDeleted();
    },
  });
}

export const useUpdateFile = (id: string) =>
  useResourceMutation({
    call: async (body: MediaChanges) => (await adminApi.adminUpdateMedia({ params: { id }, body })).data,
    invalidates: mediaKeys,
  });

export const useRetryFile = (id: string) =>
  useResourceMutation({
    call: async () => (await adminApi.adminRetryMedia({ params: { id } })).data,
    invalidates: mediaKeys,
    errorTitle: text.failure,
  });
