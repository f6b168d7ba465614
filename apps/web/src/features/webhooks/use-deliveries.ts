import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { DeliveryStatus } from '@uprez/contracts/schemas/webhook-events';
import type { WebhookDeliveryDetail } from '@uprez/contracts/schemas/webhooks';
import { api } from '../../lib/api/api.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { webhookMessages } from './messages.ts';

const text = webhookMessages.deliveries;
const pageRows = 20;
const pollMs = 3_000;

export const deliveriesKey = (webhookId: string) => [routes.listWebhooks.path, webhookId, 'deliveries'] as const;

export const useDeliveries = (id: string, status: DeliveryStatus | undefined) =>
  useInfiniteQuery({
    queryKey: [...deliveriesKey(id), status ?? ''],
    queryFn: async ({ pageParam: cursor, signal }) =>
      (await api.listWebhookDeliveries({ params: { id }, query: { status, cursor, limit: pageRows }, signal })).data,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some((row) => row.status === 'pending')) ? pollMs : false,
  });

type DeliveryIds = { id: string; deliveryId: string };

/** A delivery with its request body and attempts. `version` changes when it must be refetched. */
export const useDelivery = ({ id, deliveryId }: DeliveryIds, version: string) =>
  useQuery<WebhookDeliveryDetail>({
    queryKey: [...deliveriesKey(id), deliveryId, version],
    queryFn: async ({ signal }) => (await api.getWebhookDelivery({ params: { id, deliveryId }, signal })).data,
  });

export const useResendDelivery = ({ id, deliveryId }: DeliveryIds) =>
  useResourceMutation({
    call: () => api.resendWebhookDelivery({ params: { id, deliveryId } }),
    onSuccess: () => showToast({ title: text.resent }),
    invalidates: [deliveriesKey(id)],
    errorTitle: text.resendFailed,
  });
