import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';

/** Query key of the keys of the account. */
export const apiKeysKey = [routes.listApiKeys.path] as const;

/** The keys, the newest first. Programs use them meanwhile, so every visit reads them anew. */
export const useApiKeys = () => useQuery<ApiKeyView[]>({ queryKey: apiKeysKey, refetchOnMount: 'always' });
