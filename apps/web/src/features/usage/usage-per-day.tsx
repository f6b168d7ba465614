import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { retention } from '@uprez/contracts/policy/plans';
import type { UsageDay } from '@uprez/contracts/schemas/dashboard';
import { api } from '../../lib/api/api.ts';
import { useSearchParam } from '../../lib/browser/use-search-param.ts';
import { DayChart } from '../../ui/charts/day-chart.tsx';
import type { DaySeries } from '../../ui/charts/day-plot.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { usageMessages as text } from './messages.ts';

const periods = ['7', '30', `${retention.usageRowDays}`] as const;
const periodOptions = periods.map((value) => ({ value, label: text.days(Number(value)) }));
const splits = ['surface', 'engine'] as const;
const splitOptions = splits.map((value) => ({ value, label: text.splits[value] }));
type UsageSplit = (typeof splits)[number];

/** The period and the split of the chart, stored in the URL. */
const useUsagePeriod = () => useSearchParam({ name: 'period', choices: periods, fallback: '30' });
const useUsageSplit = () => useSearchParam({ name: 'split', choices: splits, fallback: 'surface' });

export function UsageControls() {
  const [period, setPeriod] = useUsagePeriod();
  const [split, setSplit] = useUsageSplit();
  return (
    <div className="flex flex-wrap gap-3">
      <Segmented legend={text.split} legendHidden options={splitOptions} value={split} onChange={setSplit} />
      <Segmented legend={text.period} legendHidden options={periodOptions} value={period} onChange={setPeriod} />
    </div>
  );
}

const dayMs = 86_400_000;

/** First day (UTC) of the last `days` days, including today: `2026-11-05`. */
export const firstDay = (days: number, nowMs: number): string =>
  new Date(nowMs - (days - 1) * dayMs).toISOString().slice(0, 10);

const stack = 'delivered';
const failed = { key: 'failed', label: text.failed } as const;
const series: Record<UsageSplit, DaySeries<'web' | 'api' | 'ai' | 'standard' | 'failed'>[]> = {
  surface: [{ key: 'web', label: text.web, stack }, { key: 'api', label: text.api, stack }, failed],
  engine: [{ key: 'ai', label: text.ai, stack }, { key: 'standard', label: text.standard, stack }, failed],
};

const isQuiet = (days: readonly UsageDay[]) => days.every((day) => day.completed === 0 && day.failed === 0);
const sum = (days: readonly UsageDay[], key: 'completed' | 'failed') => days.reduce((all, day) => all + day[key], 0);

export function UsagePerDay() {
  const [period] = useUsagePeriod();
  const [split] = useUsageSplit();
  const days = Number(period);
  const query = useQuery({
    queryKey: [apiRoutes.usage.path, { days }],
    queryFn: async ({ signal }) => (await api.usage({ query: { from: firstDay(days, Date.now()) }, signal })).data,
    refetchOnMount: 'always',
  });
  return (
    <QueryView
      query={query}
      skeleton={<Skeleton className="h-68" />}
      isEmpty={isQuiet}
      empty={<EmptyState {...text.empty(days)} />}
    >
      {(rows) => (
        <DayChart
          days={rows}
          series={series[split]}
          label={text.chart}
          summary={
            <p className="flex flex-wrap gap-x-4">
              <span>{text.totals.completed(sum(rows, 'completed'))}</span>
              <span>{text.totals.failed(sum(rows, 'failed'))}</span>
            </p>
          }
        />
      )}
    </QueryView>
  );
}
