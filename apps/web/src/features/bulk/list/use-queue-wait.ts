import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { api } from '../../../lib/api/api.ts';

const pollMs = 10_000;

/** The wait doesn't depend on the image. */
const anyImage = { width: 100, height: 100 };

/** Estimated seconds in the queue before an image would start now. Undefined while unknown. */
export function useQueueWait(enabled: boolean): number | undefined {
  const { data } = useQuery({
    queryKey: [apiRoutes.estimate.path, 'queue'],
    queryFn: async ({ signal }) => (await api.estimate({ body: anyImage, signal })).data.waitSeconds,
    enabled,
    staleTime: pollMs,
    refetchInterval: ({ state }) => (state.data ? pollMs : false),
  });
  return (enabled && data) || undefined;
}
