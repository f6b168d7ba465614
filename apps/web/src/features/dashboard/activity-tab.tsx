import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { retention } from '@uprez/contracts/policy/plans/plans';
import type { UsageDay } from '@uprez/contracts/schemas/dashboard';
import type { Job } from '@uprez/contracts/schemas/jobs/job';
import { formatCount, pluralize } from '@uprez/contracts/texts/format';
import { useNavigate } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { hasErrorCode, showErrorToast } from '../../lib/api/api-errors.ts';
import { findNextCursor } from '../../lib/api/next-cursor.ts';
import { dashboardKey } from '../../lib/api/queries.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { useSearchParam } from '../../lib/browser/use-search-param.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { paths } from '../../site-map.ts';
import { DayChart } from '../../ui/charts/day-chart.tsx';
import type { DaySeries } from '../../ui/charts/day-plot.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { MoreButton, QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { LedgerTable, ledgerMessages as ledgerText } from '../../ui/ledger/ledger-table.tsx';
import { ActivityFilterFields, ActivityList } from '../activity/activity-list.tsx';
import { activityMessages } from '../activity/messages.ts';
import { activityKey } from '../activity/use-activity.ts';
import { settingsOfRecipe, useSettings } from '../processor/state/settings-store.ts';

const usageText = {
  period: 'Period',
  days: (days: number) => `${days} days`,
  split: 'Split by',
  splits: { surface: 'Source', engine: 'Engine' },
  chart: 'Images per day (UTC)',
  web: 'Web',
  api: 'API',
  ai: 'AI',
  standard: 'Standard',
  failed: 'Failed',
  totals: {
    completed: (count: number) => `${pluralize(count, 'image')} processed`,
    failed: (count: number) => `${formatCount(count)} failed during processing (not charged)`,
  },
  empty: (days: number) => ({
    title: `No usage in the last ${days} days`,
    text: 'Processed and failed images appear here by day.',
  }),
  ledger: {
    text: 'All credits added, used, or refunded. 1 image uses 1 credit, which is reserved until the job ends.',
  },
} as const;

const { views: text, rerunSet, retrying } = activityMessages;

const views = ['images', 'usage', 'units'] as const;

const options = views.map((value) => ({ value, label: text[value] }));

export function ActivityTab({ onProcess }: { onProcess: () => void }) {
  const [view, choose] = useSearchParam({ name: 'view', choices: views, fallback: 'images' });
  const rerun = useRerun();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Segmented legend={text.label} legendHidden options={options} value={view} onChange={choose} />
        {view === 'images' && <ActivityFilterFields />}
        {view === 'usage' && <UsageControls />}
        {view === 'units' && <p className="text-muted text-sm">{usageText.ledger.text}</p>}
      </div>
      {view === 'images' && <ActivityList onProcess={onProcess} onRerun={rerun} />}
      {view === 'usage' && <UsagePerDay />}
      {view === 'units' && <Ledger />}
    </div>
  );
}

/**
 * Returns a function that reruns a job. A failed job is retried on the server if its original is still stored.
 * Otherwise, the user must add the image again, on the page that has all options.
 */
function useRerun(): (job: Job) => void {
  const navigate = useNavigate();
  const addAgain = (job: Job, title: string) => {
    useSettings.setState(settingsOfRecipe(job.recipe));
    showToast({ title, description: rerunSet.description(job.filename) });
    void navigate(paths.home);
  };
  const retry = useResourceMutation({
    call: async ({ id }: Job) => (await api.retryJob({ params: { id } })).data,
    onSuccess: ({ filename }) => showToast({ title: retrying.title(filename) }),
    onError: (error, job) => {
      if (hasErrorCode(error, 'result_expired')) addAgain(job, retrying.deleted);
      else showErrorToast(retrying.failed, error);
    },
    invalidates: [activityKey, dashboardKey],
  });
  return (job) => (job.status === 'failed' ? retry.mutate(job) : addAgain(job, rerunSet.title));
}

const pageSize = 25;

function Ledger() {
  const query = useInfiniteQuery({
    queryKey: [apiRoutes.listLedger.path],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const { data: rows, headers } = await api.listLedger({ query: { cursor, limit: pageSize }, signal });
      return { rows, next: findNextCursor(headers) };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ rows }) => rows),
    refetchOnMount: 'always',
  });
  return (
    <div className="grid gap-4">
      <QueryView query={query} skeleton={<Skeleton className="h-80" />} empty={<EmptyState {...ledgerText.empty} />}>
        {(rows) => (
          <>
            <LedgerTable rows={rows} />
            <MoreButton query={query} />
          </>
        )}
      </QueryView>
    </div>
  );
}

const periods = ['7', '30', `${retention.usageRowDays}`] as const;

const periodOptions = periods.map((value) => ({ value, label: usageText.days(Number(value)) }));

const splits = ['surface', 'engine'] as const;

const splitOptions = splits.map((value) => ({ value, label: usageText.splits[value] }));

type UsageSplit = (typeof splits)[number];

const useUsagePeriod = () => useSearchParam({ name: 'period', choices: periods, fallback: '30' });

const useUsageSplit = () => useSearchParam({ name: 'split', choices: splits, fallback: 'surface' });

function UsageControls() {
  const [period, setPeriod] = useUsagePeriod();
  const [split, setSplit] = useUsageSplit();
  return (
    <div className="flex flex-wrap gap-3">
      <Segmented legend={usageText.split} legendHidden options={splitOptions} value={split} onChange={setSplit} />
      <Segmented legend={usageText.period} legendHidden options={periodOptions} value={period} onChange={setPeriod} />
    </div>
  );
}

const dayMs = 86_400_000;

/** Returns the first of the last `days` days in UTC, including today: `2026-11-05`. */
export const firstDayOf = (days: number, nowMs: number): string =>
  new Date(nowMs - (days - 1) * dayMs).toISOString().slice(0, 10);

const stackId = 'delivered';

const failed = { key: 'failed', label: usageText.failed } as const;

const series: Record<UsageSplit, DaySeries<'web' | 'api' | 'ai' | 'standard' | 'failed'>[]> = {
  surface: [
    { key: 'web', label: usageText.web, stack: stackId },
    { key: 'api', label: usageText.api, stack: stackId },
    failed,
  ],
  engine: [
    { key: 'ai', label: usageText.ai, stack: stackId },
    { key: 'standard', label: usageText.standard, stack: stackId },
    failed,
  ],
};

const hasNoImages = (days: readonly UsageDay[]) => days.every((day) => day.completed === 0 && day.failed === 0);

const sum = (days: readonly UsageDay[], key: 'completed' | 'failed') => days.reduce((all, day) => all + day[key], 0);

function UsagePerDay() {
  const [period] = useUsagePeriod();
  const [split] = useUsageSplit();
  const days = Number(period);
  const query = useQuery({
    queryKey: [apiRoutes.usage.path, { days }],
    queryFn: async ({ signal }) => (await api.usage({ query: { from: firstDayOf(days, Date.now()) }, signal })).data,
    refetchOnMount: 'always',
  });
  return (
    <QueryView
      query={query}
      skeleton={<Skeleton className="h-68" />}
      isEmpty={hasNoImages}
      empty={<EmptyState {...usageText.empty(days)} />}
    >
      {(rows) => (
        <DayChart
          days={rows}
          series={series[split]}
          label={usageText.chart}
          summary={
            <p className="flex flex-wrap gap-x-4">
              <span>{usageText.totals.completed(sum(rows, 'completed'))}</span>
              <span>{usageText.totals.failed(sum(rows, 'failed'))}</span>
            </p>
          }
        />
      )}
    </QueryView>
  );
}
