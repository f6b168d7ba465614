import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { adminApi } from '../admin-api.ts';

/** The query key of all lists of files. */
export const mediaKey = [adminRoutes.adminListMedia.path] as const;
/** The query key of all single files. */
export const mediaFileKey = [adminRoutes.adminGetMedia.path] as const;
/** Query key of the uses of all files. */
export const mediaUsesKey = [adminRoutes.adminListMediaUses.path] as const;
/** Query keys affected by a change to a file. */
export const mediaKeys = [mediaKey, mediaFileKey, mediaUsesKey] as const;

/** Polling interval while smaller versions of an image are being created. */
const processingMs = 1_500;

/** Returns the polling interval in milliseconds while smaller versions are being created, otherwise false. */
export const refreshProcessing = (files: readonly MediaFile[]) =>
  files.some(({ state }) => state === 'processing') && processingMs;

export const useMediaFile = (id: string | null) =>
  useQuery({
    queryKey: [...mediaFileKey, id],
    queryFn: async ({ signal }) => (await adminApi.adminGetMedia({ params: { id: id ?? '' }, signal })).data,
    enabled: id !== null,
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) => refreshProcessing(data ? [data] : []),
  });

export const useMediaUses = (id: string) =>
  useQuery({
    queryKey: [...mediaUsesKey, id],
    queryFn: async ({ signal }) => (await adminApi.adminListMediaUses({ params: { id }, signal })).data,
    refetchOnMount: 'always',
  });
