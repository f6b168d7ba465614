import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import { api } from '../../lib/api/api.ts';
import { firstDay } from './first-day.ts';

/** Query key of the daily usage. */
export const usageKey = [routes.usage.path] as const;

/** Usage of each of the last `days` days. Refetched on every visit. */
export const useUsage = (days: number) =>
  useQuery({
    queryKey: [...usageKey, { days }],
    queryFn: async ({ signal }) => (await api.usage({ query: { from: firstDay(days, Date.now()) }, signal })).data,
    refetchOnMount: 'always',
  });
