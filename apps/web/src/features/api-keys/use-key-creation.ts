import { useQueryClient } from '@tanstack/react-query';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { dismissToasts, showToast } from '../../lib/notifications/toast-store.ts';
import type { newKeyBody } from './key-draft.ts';
import { apiKeysMessages } from './messages.ts';
import { apiKeysKey } from './use-api-keys.ts';

const text = apiKeysMessages.create;
const toastMs = 30_000;

/** A new key with its secret. `former`: the key that it replaces. */
export type NewKey = { secret: string; key: ApiKeyView; former?: ApiKeyView };
/**
 * Creates or rotates keys, and holds the new key until its owner has saved it. The secret is only in the state of this
 * component: the calls return nothing, because results of mutations are cached.
 */
export function useKeyCreation() {
  const queryClient = useQueryClient();
  const [created, setCreated] = useState<NewKey>();
  const show = (newKey: NewKey) => {
    setCreated(newKey);
    showToast({ title: text.created, description: text.createdText, durationMs: toastMs });
  };
  const shared = {
    // The form shows the reason.
    onError: () => void showToast({ title: text.failed, destructive: true }),
    // Not awaited: the key is shown before the list is refetched.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: apiKeysKey }),
  };
  const create = useResourceMutation({
    ...shared,
    call: async (body: ReturnType<typeof newKeyBody>): Promise<void> => {
      const { key: secret, ...key } = (await api.createApiKey({ body })).data;
      show({ secret, key });
    },
  });
  const rotate = useResourceMutation({
    ...shared,
    call: async ({ former, overlapHours }: { former: ApiKeyView; overlapHours: number }): Promise<void> => {
      const { data } = await api.rotateApiKey({ params: { id: former.id }, body: { overlapHours } });
      const { key: secret, ...key } = data;
      show({ secret, key, former });
    },
  });
  const clear = () => {
    dismissToasts();
    setCreated(undefined);
  };
  return { created, create, rotate, clear };
}
export type KeyCreation = ReturnType<typeof useKeyCreation>;
