import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { Batch } from '@uprez/contracts/schemas/batch';
import { api } from '../../../lib/api/api.ts';
import { errorMessage } from '../../../lib/api/api-errors.ts';
import { useDebounced } from '../../../lib/browser/use-debounced.ts';

const quietMs = 300;

/** File name of the first finished image in the ZIP for a pattern, or why the pattern is invalid. */
export function useExampleName(part: { batch: Batch; done: number } | undefined, pattern: string) {
  const name = useDebounced(pattern, quietMs);
  const id = part?.batch.id;
  const { data, error } = useQuery({
    queryKey: [routes.createBatch.path, id, 'names', name],
    queryFn: async () => (await api.batchManifest({ params: { id: id ?? '' }, query: { name } })).data,
    enabled: id !== undefined,
    placeholderData: keepPreviousData,
  });
  return {
    example: data?.find(({ path }) => path !== null)?.path ?? undefined,
    error: error ? errorMessage(error) : undefined,
  };
}
