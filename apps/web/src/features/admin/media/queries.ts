import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { adminApi } from '../admin-api.ts';

/** The query key of all lists of files. */
export const mediaKey = [adminRoutes.adminListMedia.path] as const;
/** The query key of all single files. */
export const mediaFileKey = [adminRoutes.adminGetMedia.path] as const;
/** The query key of the places of all files. */
export const mediaUsesKey = [adminRoutes.adminListMediaUses.path] as const;
/** What a change of a file affects. */
export const mediaKeys = [mediaKey, mediaFileKey, mediaUsesKey] as const;

/** Time between two looks at an image whose smaller versions are being made. */
const processingMs = 1_500;

/** Milliseconds until files are loaded again while smaller versions are being made. */
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
