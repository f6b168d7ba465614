import type { MediaChanges } from '@uprez/contracts/schemas/content/media';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { adminApi } from '../admin-api.ts';
import { mediaMessages as text } from './messages.ts';
import { mediaKeys } from './queries.ts';

export const useRestoreFile = () =>
  useResourceMutation({
    call: async (id: string) => (await adminApi.adminRestoreMedia({ params: { id } })).data,
    invalidates: mediaKeys,
    errorTitle: text.failure,
    onSuccess: () => showToast({ title: text.success, description: text.restored }),
  });

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
