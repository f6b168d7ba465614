import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import { api } from '../../lib/api/api.ts';

const dayMs = 86_400_000;

/** First day (UTC) of the last `days` days, including today: `2026-11-05`. */
export const firstDay = (days: number, nowMs: number): string =>
  new Date(nowMs - (days - 1) * dayMs).toISOString().slice(0, 10);

export const usageKey = [routes.usage.path] as const;

/** Usage of each of the last `days` days. Refetched on every visit. */
export const useUsage = (days: number) =>
  useQuery({
    queryKey: [...usageKey, { days }],
    queryFn: async ({ signal }) => (await api.usage({ query: { from: firstDay(days, Date.now()) }, signal })).data,
    refetchOnMount: 'always',
  });
