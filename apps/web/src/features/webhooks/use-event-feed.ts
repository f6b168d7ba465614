import { useInfiniteQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { EventType } from '@uprez/contracts/schemas/webhook-events';
import { api } from '../../lib/api/api.ts';

const pageRows = 20;

/** Events of the account, newest first, by page. Refetched on every visit. */
export const useEventFeed = (type: EventType | undefined) =>
  useInfiniteQuery({
    queryKey: [routes.listEvents.path, type ?? ''],
    queryFn: async ({ pageParam: after, signal }) =>
      (await api.listEvents({ query: { after, type, order: 'desc', limit: pageRows }, signal })).data,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchOnMount: 'always',
  });
