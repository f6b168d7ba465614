import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { webhooksKey } from './use-webhooks.ts';
import type { WebhookBody } from './webhook-draft.ts';

/**
 * The ways to a new secret, and the secret until its owner has saved it. It is in the state of a component alone: the
 * calls below return nothing, because what they return would be kept in a cache.
 */
export function useWebhookSecret() {
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState<string>();
  const settled = {
    networkMode: 'always' as const,
    onSettled: () => void queryClient.invalidateQueries({ queryKey: webhooksKey }),
  };
  const create = useMutation({
    ...settled,
    mutationFn: async (body: WebhookBody): Promise<void> => setSecret((await api.createWebhook({ body })).data.secret),
  });
  const rotate = useMutation({
    ...settled,
    mutationFn: async ({ id, overlapHours }: { id: string; overlapHours: number }): Promise<void> => {
      const { data } = await api.rotateWebhookSecret({ params: { id }, body: { overlapHours } });
      setSecret(data.secret);
    },
  });
  return { secret, create, rotate, forget: () => setSecret(undefined) };
}
export type SecretMaking = ReturnType<typeof useWebhookSecret>;
