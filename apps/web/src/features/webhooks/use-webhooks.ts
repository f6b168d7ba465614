import { useQuery, useQueryClient } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { WebhookView } from '@uprez/contracts/schemas/webhooks';
import { useEffect } from 'react';
import { api } from '../../lib/api/api.ts';
import { useActiveToggle } from '../../lib/api/use-active-toggle.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { announce } from '../../lib/notifications/announce.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { webhookMessages as text } from './messages.ts';
import { deliveriesKey } from './use-deliveries.ts';
import type { WebhookBody } from './webhook-draft.ts';

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

export const useResendSince = (id: string) =>
  useResourceMutation({
    call: async (body: { since: string }) => (await api.resendWebhook({ params: { id }, body })).data.events,
    onSuccess: (events) => showToast({ title: text.again.done(events) }),
    invalidates: [deliveriesKey(id)],
  });
