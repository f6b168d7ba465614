import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { DeliveryStatus } from '@uprez/contracts/schemas/webhook-events';
import type { WebhookDeliveryDetail, WebhookView } from '@uprez/contracts/schemas/webhooks';
import { useEffect, useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { useActiveToggle } from '../../lib/api/use-active-toggle.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { announce } from '../../lib/notifications/announce.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { webhookMessages as text } from './messages.ts';
import type { WebhookBody } from './webhook-dialog.tsx';

const webhooksKey = [apiRoutes.listWebhooks.path] as const;
export const deliveriesKey = (webhookId: string) => [...webhooksKey, webhookId, 'deliveries'] as const;

/**
 * Returns the account's endpoints, newest first. Refetches them on every visit, because deliveries change an endpoint's
 * state.
 */
export const useWebhooks = () => useQuery<WebhookView[]>({ queryKey: webhooksKey, refetchOnMount: 'always' });

/** Refetches the endpoints after each fetch of deliveries, because deliveries change an endpoint's state. */
export function useWebhooksRefresh(deliveriesReadAt: number): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (deliveriesReadAt > 0) void queryClient.invalidateQueries({ queryKey: webhooksKey, exact: true });
  }, [queryClient, deliveriesReadAt]);
}

/** Returns the ID that the API uses for an endpoint. The endpoint for single jobs has a fixed ID. */
export const webhookIdOf = ({ id, kind }: Pick<WebhookView, 'id' | 'kind'>): string => (kind === 'jobs' ? kind : id);

export const useToggleWebhook = ({ id, url }: WebhookView) =>
  useActiveToggle({
    listKey: webhooksKey,
    id,
    call: (isActive) => api.updateWebhook({ params: { id }, body: { isActive } }),
    announcement: (isActive) => (isActive ? text.turnedOn(url ?? '') : text.turnedOff(url ?? '')),
    errorTitle: text.toggleFailed,
  });

export const useChangeWebhook = ({ id }: WebhookView) =>
  useResourceMutation({
    call: async ({ sandbox: _, ...body }: WebhookBody) => {
      await api.updateWebhook({ params: { id }, body });
    },
    invalidates: [webhooksKey],
  });

export const useDeleteWebhook = ({ id }: WebhookView) =>
  useResourceMutation({
    call: () => api.deleteWebhook({ params: { id } }),
    onSuccess: () => announce(text.removal.done),
    invalidates: [webhooksKey],
    errorTitle: text.removal.failed,
  });

export const useTestWebhook = (id: string) =>
  useResourceMutation({
    call: () => api.testWebhook({ params: { id } }),
    onSuccess: () => showToast({ title: text.tested }),
    invalidates: [deliveriesKey(id)],
    errorTitle: text.testFailed,
  });

/**
 * Creates endpoints and rotates their secrets. The mutations return nothing, because results are cached and a secret
 * must not be cached.
 */
export function useWebhookSecret() {
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState<string>();
  // Isn't awaited, because the secret is shown before the list is refetched.
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

const pageSize = 20;
const pollMs = 3_000;

export const useDeliveries = (id: string, status: DeliveryStatus | undefined) =>
  useInfiniteQuery({
    queryKey: [...deliveriesKey(id), status ?? ''],
    queryFn: async ({ pageParam: cursor, signal }) =>
      (await api.listWebhookDeliveries({ params: { id }, query: { status, cursor, limit: pageSize }, signal })).data,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some((row) => row.status === 'pending')) ? pollMs : false,
  });

type DeliveryIds = { id: string; deliveryId: string };

/** Returns a delivery with its request body and attempts. Refetches it when `version` changes. */
export const useDelivery = ({ id, deliveryId }: DeliveryIds, version: string) =>
  useQuery<WebhookDeliveryDetail>({
    queryKey: [...deliveriesKey(id), deliveryId, version],
    queryFn: async ({ signal }) => (await api.getWebhookDelivery({ params: { id, deliveryId }, signal })).data,
  });

export const useResendDelivery = ({ id, deliveryId }: DeliveryIds) =>
  useResourceMutation({
    call: () => api.resendWebhookDelivery({ params: { id, deliveryId } }),
    onSuccess: () => showToast({ title: text.deliveries.resent }),
    invalidates: [deliveriesKey(id)],
    errorTitle: text.deliveries.resendFailed,
  });
