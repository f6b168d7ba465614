import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { dashboardRules } from '@uprez/contracts/policy/admin/dashboard-rules';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { dashboardKey } from '../../lib/api/queries.ts';
import { replaceValues, toggleKey, useActiveToggle } from '../../lib/api/use-active-toggle.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { announce } from '../../lib/notifications/announce.ts';
import { dismissToasts, showToast } from '../../lib/notifications/toast-store.ts';
import { keepSandboxSecret } from '../../lib/session/sandbox-secret.ts';
import type { toKeyChangeBody, toNewKeyBody } from './key-draft.tsx';
import { apiKeysMessages as text } from './messages.ts';

const apiKeysKey = [apiRoutes.listApiKeys.path] as const;

/** Reads the account's API keys, newest first. Polls them, because API calls and other devices change them. */
export function useApiKeys() {
  const isToggling = useIsMutating({ mutationKey: toggleKey(apiKeysKey) }) > 0;
  return useQuery<ApiKeyView[]>({
    queryKey: apiKeysKey,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
    // Doesn't poll during a toggle, because the response would revert the optimistic update.
    refetchInterval: !isToggling && dashboardRules.pollMs,
  });
}

/** Refetches the account's usage counters when the keys' call counts change, so both show the same numbers. */
export function useRefreshUsageCounters(keys: readonly ApiKeyView[] | undefined): void {
  const queryClient = useQueryClient();
  const counted = keys?.reduce((sum, { usageCount }) => sum + usageCount, 0);
  const shown = useRef<number>(undefined);
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== counted)
      for (const queryKey of [dashboardKey, [apiRoutes.usage.path]]) void queryClient.invalidateQueries({ queryKey });
    shown.current = counted;
  }, [counted, queryClient]);
}

export const useToggleKey = ({ id, name }: ApiKeyView) =>
  useActiveToggle({
    listKey: apiKeysKey,
    id,
    call: (isActive) => api.toggleApiKey({ params: { id }, body: { isActive } }),
    announcement: (isActive) => (isActive ? text.row.turnedOn(name) : text.row.turnedOff(name)),
    errorTitle: text.row.updateFailed,
  });

export function useChangeKey({ id }: ApiKeyView) {
  const queryClient = useQueryClient();
  return useResourceMutation({
    call: async (body: ReturnType<typeof toKeyChangeBody>) => (await api.updateApiKey({ params: { id }, body })).data,
    onSuccess: (key) => {
      queryClient.setQueryData(apiKeysKey, replaceValues<ApiKeyView>(id, key));
      showToast({ title: text.row.updated });
    },
    invalidates: [apiKeysKey],
  });
}

export function useDeleteKey({ id, name }: ApiKeyView) {
  const queryClient = useQueryClient();
  return useResourceMutation({
    call: () => api.deleteApiKey({ params: { id } }),
    onSuccess: () => {
      queryClient.setQueryData(apiKeysKey, (rows: ApiKeyView[] | undefined) => rows?.filter((row) => row.id !== id));
      announce(text.remove.done(name));
    },
    invalidates: [apiKeysKey],
    errorTitle: text.remove.failed,
  });
}

const toastMs = 30_000;

/** `former`: the key that it replaces, if any. */
export type NewKey = { secret: string; key: ApiKeyView; former?: ApiKeyView };
/** Creates or rotates keys. The mutations return nothing, because their results are cached, and secrets must not be. */
export function useKeyCreation() {
  const queryClient = useQueryClient();
  const [created, setCreated] = useState<NewKey>();
  const show = (newKey: NewKey) => {
    setCreated(newKey);
    const { key, secret } = newKey;
    if (key.kind === 'test') keepSandboxSecret({ keyId: key.id, secret });
    showToast({ title: text.create.created, description: text.create.createdText, durationMs: toastMs });
  };
  const shared = {
    // Not awaited, because the key is shown before the list is refetched.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: apiKeysKey }),
  };
  const create = useResourceMutation({
    ...shared,
    call: async (body: ReturnType<typeof toNewKeyBody>): Promise<void> => {
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
