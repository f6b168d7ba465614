import { useIsMutating, useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { toggleKey } from '../../lib/api/use-active-toggle.ts';

/** Query key of the account's API keys. */
export const apiKeysKey = [routes.listApiKeys.path] as const;
const pollMs = 10_000;

/** The account's API keys, newest first. Polled, because API calls and other devices change them. */
export function useApiKeys() {
  const isToggling = useIsMutating({ mutationKey: toggleKey(apiKeysKey) }) > 0;
  return useQuery<ApiKeyView[]>({
    queryKey: apiKeysKey,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
    // A response during a toggle would revert the optimistic update.
    refetchInterval: !isToggling && pollMs,
  });
}
