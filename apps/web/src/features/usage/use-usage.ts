import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import { api } from '../../lib/api/api.ts';
import { firstDay } from './first-day.ts';

/** Query key of all that is asked of the usage per day. */
export const usageKey = [routes.usage.path] as const;

/** What was made on each of the last `days` days; read anew whenever it comes to the screen. */
export const useUsage = (days: number) =>
  useQuery({
    queryKey: [...usageKey, { days }],
    queryFn: async ({ signal }) => (await api.usage({ query: { from: firstDay(days, Date.now()) }, signal })).data,
    refetchOnMount: 'always',
  });
