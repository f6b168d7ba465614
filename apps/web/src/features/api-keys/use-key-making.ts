import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { dismissToasts, showToast } from '../../lib/notifications/toast-store.ts';
import type { newKeyBody } from './key-draft.ts';
import { apiKeysMessages } from './messages.ts';
import type { NewSecret } from './new-secret.ts';
import { apiKeysKey } from './use-api-keys.ts';

const text = apiKeysMessages.create;
const noticeMs = 30_000;

type Rotation = { former: ApiKeyView; overlapHours: number };

/**
 * The ways to a new key, and the key that was just made until its owner has saved it. The secret is in the state of a
 * component alone: the calls below return nothing, because what they return would be kept in a cache.
 */
export function useKeyMaking() {
  const queryClient = useQueryClient();
  const [made, setMade] = useState<NewSecret>();
  const reveal = (secret: NewSecret) => {
    setMade(secret);
    showToast({ title: text.created, description: text.createdText, durationMs: noticeMs });
  };
  const settled = {
    networkMode: 'always' as const,
    // The form says why.
    onError: () => void showToast({ title: text.failed, destructive: true }),
    // Not awaited: the key is there, and its list may take its time.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: apiKeysKey }),
  };
  const create = useMutation({
    ...settled,
    mutationFn: async (body: ReturnType<typeof newKeyBody>): Promise<void> => {
      const { key: secret, ...key } = (await api.createApiKey({ body })).data;
      reveal({ secret, key });
    },
  });
  const rotate = useMutation({
    ...settled,
    mutationFn: async ({ former, overlapHours }: Rotation): Promise<void> => {
      const { data } = await api.rotateApiKey({ params: { id: former.id }, body: { overlapHours } });
      const { key: secret, ...key } = data;
      reveal({ secret, key, former });
    },
  });
  const forget = () => {
    dismissToasts();
    setMade(undefined);
  };
  return { made, create, rotate, forget };
}
export type KeyMaking = ReturnType<typeof useKeyMaking>;
