import { retention } from '@uprez/contracts/plans';
import type { UsageDay } from '@uprez/contracts/usage';
import type { ReactNode } from 'react';
import { formatCount } from '../../lib/format.ts';
import { useUrlChoice } from '../../lib/use-url-choice.ts';
import { usageMessages as text } from '../../messages/dashboard.ts';
import { DayChart, type DaySeries } from '../../ui/day-chart.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useUsage } from './use-usage.ts';

const periods = ['7', '30', `${retention.usageRowDays}`] as const;
const periodOptions = periods.map((value) => ({ value, label: text.days(Number(value)) }));
const splits = ['surface', 'engine'] as const;
const splitOptions = splits.map((value) => ({ value, label: text.splits[value] }));

const stack = 'delivered';
const failed = { key: 'failed', label: text.failed } as const;
const series: Record<(typeof splits)[number], DaySeries<'web' | 'api' | 'ai' | 'standard' | 'failed'>[]> = {
  surface: [{ key: 'web', label: text.web, stack }, { key: 'api', label: text.api, stack }, failed],
  engine: [{ key: 'ai', label: text.ai, stack }, { key: 'standard', label: text.standard, stack }, failed],
};

const isQuiet = (days: readonly UsageDay[]) => days.every((day) => day.completed === 0 && day.failed === 0);
const sum = (days: readonly UsageDay[], key: 'completed' | 'failed') => days.reduce((all, day) => all + day[key], 0);

function Totals({ days }: { days: readonly UsageDay[] }) {
  const completed = sum(days, 'completed');
  return (
    <p className="flex flex-wrap gap-x-4">
      <span>{text.totals.completed(formatCount(completed), completed)}</span>
      <span>{text.totals.failed(formatCount(sum(days, 'failed')))}</span>
    </p>
  );
}

/** What was made on each day, by where or by how; period and split are in the address. */
export function UsagePerDay({ switcher }: { switcher: ReactNode }) {
  const [period, setPeriod] = useUrlChoice({ name: 'period', choices: periods, fallback: '30' });
  const [split, setSplit] = useUrlChoice({ name: 'split', choices: splits, fallback: 'surface' });
  const query = useUsage(Number(period));
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        {switcher}
        <div className="flex flex-wrap gap-3">
          <Segmented legend={text.split} legendHidden options={splitOptions} value={split} onChange={setSplit} />
          <Segmented legend={text.period} legendHidden options={periodOptions} value={period} onChange={setPeriod} />
        </div>
      </div>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-68" />}
        isEmpty={isQuiet}
        empty={<EmptyState {...text.empty(Number(period))} />}
      >
        {(days) => <DayChart days={days} series={series[split]} label={text.chart} summary={<Totals days={days} />} />}
      </QueryView>
    </div>
  );
}
