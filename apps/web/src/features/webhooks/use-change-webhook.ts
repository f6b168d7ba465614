import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { WebhookView } from '@uprez/contracts/schemas/webhooks';
import { api } from '../../lib/api/api.ts';
import { tellFailure } from '../../lib/api/tell-failure.ts';
import { announce } from '../../lib/notifications/announce.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { webhookMessages as text } from './messages.ts';
import { deliveriesKey } from './use-deliveries.ts';
import { webhookId, webhooksKey } from './use-webhooks.ts';
import type { WebhookBody } from './webhook-draft.ts';

const withWebhook = (id: string, values: Partial<WebhookView>) => (rows: WebhookView[] | undefined) =>
  rows?.map((row) => (row.id === id ? { ...row, ...values } : row));

/** Switch an endpoint on or off: shown at once, and as it was again where the server refuses. */
export function useToggleWebhook({ id, url }: WebhookView) {
  const queryClient = useQueryClient();
  const show = (isActive: boolean) => queryClient.setQueryData(webhooksKey, withWebhook(id, { isActive }));
  return useMutation({
    networkMode: 'always',
    scope: { id: `toggle ${id}` },
    mutationFn: async (isActive: boolean) => {
      await api.updateWebhook({ params: { id }, body: { isActive } });
    },
    onMutate: async (isActive) => {
      await queryClient.cancelQueries({ queryKey: webhooksKey });
      show(isActive);
    },
    onSuccess: (_, isActive) => announce(isActive ? text.turnedOn(url ?? '') : text.turnedOff(url ?? '')),
    onError: (error, isActive) => {
      show(!isActive);
      tellFailure(text.toggleFailed)(error);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: webhooksKey }),
  });
}

/** Change where an endpoint lies and what it asks for. */
export function useChangeWebhook({ id }: WebhookView) {
  const queryClient = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: async ({ sandbox: _, ...body }: WebhookBody) => {
      await api.updateWebhook({ params: { id }, body });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: webhooksKey }),
  });
}

/** Delete an endpoint. */
export function useDeleteWebhook({ id }: WebhookView) {
  const queryClient = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: async () => {
      await api.deleteWebhook({ params: { id } });
    },
    onSuccess: () => announce(text.removal.done),
    onError: tellFailure(text.removal.failed),
    onSettled: () => queryClient.invalidateQueries({ queryKey: webhooksKey }),
  });
}

/** Send a test event to an endpoint; its delivery stands in the list. */
export function useTestWebhook(webhook: WebhookView) {
  const queryClient = useQueryClient();
  const id = webhookId(webhook);
  return useMutation({
    networkMode: 'always',
    mutationFn: async () => {
      await api.testWebhook({ params: { id } });
    },
    onSuccess: () => showToast({ title: text.tested }),
    onError: tellFailure(text.testFailed),
    onSettled: () => queryClient.invalidateQueries({ queryKey: deliveriesKey(id) }),
  });
}

/** Send all events since a time once more. */
export function useResendSince(webhook: WebhookView) {
  const queryClient = useQueryClient();
  const id = webhookId(webhook);
  return useMutation({
    networkMode: 'always',
    mutationFn: async (since: string) => (await api.resendWebhook({ params: { id }, body: { since } })).data.events,
    onSuccess: (events) => showToast({ title: text.again.done(events) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: deliveriesKey(id) }),
  });
}
