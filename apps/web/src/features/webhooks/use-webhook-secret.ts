import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { webhooksKey } from './use-webhooks.ts';
import type { WebhookBody } from './webhook-draft.ts';

/**
 * Creates endpoints or rotates secrets, and holds the new secret until its owner has saved it. The secret is only in
 * the state of this component: the calls return nothing, because results of mutations are cached.
 */
export function useWebhookSecret() {
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState<string>();
  // Not awaited: the secret is shown before the list is refetched.
  const onSettled = () => void queryClient.invalidateQueries({ queryKey: webhooksKey });
  const create = useResourceMutation({
    onSettled,
    call: async (body: WebhookBody): Promise<void> => setSecret((await api.createWebhook({ body })).data.secret),
  });
  const rotate = useResourceMutation({
    onSettled,
    call: async ({ id, overlapHours }: { id: string; overlapHours: number }): Promise<void> => {
      const { data } = await api.rotateWebhookSecret({ params: { id }, body: { overlapHours } });
      setSecret(data.secret);
    },
  });
  return { secret, create, rotate, clear: () => setSecret(undefined) };
}
export type SecretCreation = ReturnType<typeof useWebhookSecret>;
