import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import type { User } from '@uprez/contracts/schemas/user';
import { useMemo } from 'react';
import { chooseKey, type Reader } from '../../ui/code/reader.ts';

/** Values for the placeholders of the examples: this site's origin and the preview of a key. */
export function useReaderOf(user: User | null): Reader {
  const { data = [] } = useQuery<ApiKeyView[]>({ queryKey: [routes.listApiKeys.path], enabled: user !== null });
  const preview = user ? chooseKey(data)?.keyPreview : undefined;
  return useMemo(() => ({ address: window.location.origin, preview }), [preview]);
}
