import { useQuery } from '@tanstack/react-query';
import type { ApiKeyView } from '@uprez/contracts/api-keys';
import { routes } from '@uprez/contracts/routes';

/** Query key of the keys of the account. */
export const apiKeysKey = [routes.listApiKeys.path] as const;

/** The keys, the newest first. Programs use them meanwhile, so every visit reads them anew. */
export const useApiKeys = () => useQuery<ApiKeyView[]>({ queryKey: apiKeysKey, refetchOnMount: 'always' });
