import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { MediaChanges, MediaFile } from '@uprez/contracts/schemas/content/media';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { adminApi } from '../admin-api.ts';
import { mediaMessages as text } from './messages.ts';

export const mediaKey = [adminRoutes.adminListMedia.path] as const;
export const mediaFileKey = [adminRoutes.adminGetMedia.path] as const;
export const mediaUsesKey = [adminRoutes.adminListMediaUses.path] as const;
/** Query keys to invalidate after a change to a file. */
export const mediaKeys = [mediaKey, mediaFileKey, mediaUsesKey] as const;

const processingPollMs = 1_500;

/** Returns the polling interval in milliseconds while smaller versions are being created, otherwise false. */
export const processingRefetchInterval = (files: readonly MediaFile[]) =>
  files.some(({ state }) => state === 'processing') && processingPollMs;

export const useMediaFile = (id: string | null) =>
  useQuery({
    queryKey: [...mediaFileKey, id],
    queryFn: async ({ signal }) => (await adminApi.adminGetMedia({ params: { id: id ?? '' }, signal })).data,
    enabled: id !== null,
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) => processingRefetchInterval(data ? [data] : []),
  });

export const useMediaUses = (id: string) =>
  useQuery({
    queryKey: [...mediaUsesKey, id],
    queryFn: async ({ signal }) => (await adminApi.adminListMediaUses({ params: { id }, signal })).data,
    refetchOnMount: 'always',
  });

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
