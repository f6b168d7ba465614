import { useQuery, useQueryClient } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { WebhookView } from '@uprez/contracts/schemas/webhooks';
import { useEffect } from 'react';

/** Query key of the account's endpoints. */
export const webhooksKey = [routes.listWebhooks.path] as const;

/** The account's endpoints, newest first. Deliveries change them, so they are refetched on every visit. */
export const useWebhooks = () => useQuery<WebhookView[]>({ queryKey: webhooksKey, refetchOnMount: 'always' });

/** Refetches the endpoints with their deliveries, which determine their state. */
export function useWebhooksRefresh(deliveriesReadAt: number): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (deliveriesReadAt > 0) void queryClient.invalidateQueries({ queryKey: webhooksKey, exact: true });
  }, [queryClient, deliveriesReadAt]);
}

/** Id of an endpoint in the API. The endpoint of single jobs has a fixed name. */
export const webhookId = ({ id, kind }: Pick<WebhookView, 'id' | 'kind'>): string => (kind === 'jobs' ? kind : id);
