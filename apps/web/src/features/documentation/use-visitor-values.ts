import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import type { User } from '@uprez/contracts/schemas/user';
import { useMemo } from 'react';
import { chooseKey, type ExampleValues } from '../../ui/code/example-values.ts';

/** Returns the values to fill into examples: the URL of this site, and the preview of an API key. */
export function useVisitorValues(user: User | null): ExampleValues {
  const { data = [] } = useQuery<ApiKeyView[]>({ queryKey: [routes.listApiKeys.path], enabled: user !== null });
  const preview = user ? chooseKey(data)?.keyPreview : undefined;
  return useMemo(() => ({ address: window.location.origin, preview }), [preview]);
}
