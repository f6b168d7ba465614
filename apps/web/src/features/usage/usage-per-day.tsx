import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { UsageDay } from '@uprez/contracts/schemas/usage';
import { api } from '../../lib/api/api.ts';
import { DayChart } from '../../ui/charts/day-chart.tsx';
import type { DaySeries } from '../../ui/charts/day-plot.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { usageMessages as text } from './messages.ts';
import { type UsageSplit, useUsagePeriod, useUsageSplit } from './usage-controls.tsx';

const dayMs = 86_400_000;

/** First day (UTC) of the last `days` days, including today: `2026-11-05`. */
export const firstDay = (days: number, nowMs: number): string =>
  new Date(nowMs - (days - 1) * dayMs).toISOString().slice(0, 10);

const usageKey = [routes.usage.path] as const;

/** Usage of each of the last `days` days. Refetched on every visit. */
const useUsage = (days: number) =>
  useQuery({
    queryKey: [...usageKey, { days }],
    queryFn: async ({ signal }) => (await api.usage({ query: { from: firstDay(days, Date.now()) }, signal })).data,
    refetchOnMount: 'always',
  });

const stack = 'delivered';
const failed = { key: 'failed', label: text.failed } as const;
const series: Record<UsageSplit, DaySeries<'web' | 'api' | 'ai' | 'standard' | 'failed'>[]> = {
  surface: [{ key: 'web', label: text.web, stack }, { key: 'api', label: text.api, stack }, failed],
  engine: [{ key: 'ai', label: text.ai, stack }, { key: 'standard', label: text.standard, stack }, failed],
};

const isQuiet = (days: readonly UsageDay[]) => days.every((day) => day.completed === 0 && day.failed === 0);
const sum = (days: readonly UsageDay[], key: 'completed' | 'failed') => days.reduce((all, day) => all + day[key], 0);

function Totals({ days }: { days: readonly UsageDay[] }) {
  return (
    <p className="flex flex-wrap gap-x-4">
      <span>{text.totals.completed(sum(days, 'completed'))}</span>
      <span>{text.totals.failed(sum(days, 'failed'))}</span>
    </p>
  );
}

export function UsagePerDay() {
  const [period] = useUsagePeriod();
  const [split] = useUsageSplit();
  const query = useUsage(Number(period));
  return (
    <QueryView
      query={query}
      skeleton={<Skeleton className="h-68" />}
      isEmpty={isQuiet}
      empty={<EmptyState {...text.empty(Number(period))} />}
    >
      {(days) => <DayChart days={days} series={series[split]} label={text.chart} summary={<Totals days={days} />} />}
    </QueryView>
  );
}
