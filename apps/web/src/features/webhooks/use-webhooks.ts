import { useQuery, useQueryClient } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { WebhookView } from '@uprez/contracts/schemas/webhooks';
import { useEffect } from 'react';

/** Query key of the endpoints of the account. */
export const webhooksKey = [routes.listWebhooks.path] as const;

/** The endpoints, the newest first. They change by what is delivered, so every visit reads them anew. */
export const useWebhooks = () => useQuery<WebhookView[]>({ queryKey: webhooksKey, refetchOnMount: 'always' });

/** Reads the endpoints anew whenever their deliveries were: those say how an endpoint fares. */
export function useFreshWebhooks(deliveriesReadAt: number): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (deliveriesReadAt > 0) void queryClient.invalidateQueries({ queryKey: webhooksKey, exact: true });
  }, [queryClient, deliveriesReadAt]);
}

/** What an endpoint is called in the API: the one of single jobs has a name instead of an id. */
export const webhookId = ({ id, kind }: Pick<WebhookView, 'id' | 'kind'>): string => (kind === 'jobs' ? kind : id);
