import { useQuery, useQueryClient } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { ImageUrlSettings } from '@uprez/contracts/schemas/image-url-settings';
import { useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { imageUrlMessages as text } from './messages.ts';

const imageUrlsKey = [apiRoutes.getImageUrls.path] as const;

export const useImageUrls = () => useQuery<ImageUrlSettings>({ queryKey: imageUrlsKey, refetchOnMount: 'always' });

type Changed = ImageUrlSettings & { secret: string | null };
export type ImageUrlChange = { isEnabled: boolean; hosts: string[] };

/** Changes the settings or rotates the secret. The calls return nothing: results are cached, and a secret must not be. */
export function useImageUrlChanges() {
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState<string>();
  const keep = ({ secret: created, ...settings }: Changed) => {
    queryClient.setQueryData(imageUrlsKey, settings);
    if (created !== null) setSecret(created);
  };
  const save = useResourceMutation({
    call: async (body: ImageUrlChange): Promise<void> => keep((await api.updateImageUrls({ body })).data),
    onSuccess: () => showToast({ title: text.settings.saved }),
  });
  const rotate = useResourceMutation({
    call: async (overlapHours: number): Promise<void> =>
      keep((await api.rotateImageUrlSecret({ body: { overlapHours } })).data),
  });
  return { secret, save, rotate, clear: () => setSecret(undefined) };
}
export type ImageUrlChanges = ReturnType<typeof useImageUrlChanges>;
