import type { Analytics } from '@uprez/contracts/schemas/analytics';
import { monthStart } from '../../../lib/format/month-start.ts';
import { DayChart } from '../../../ui/charts/day-chart.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { formatNumber } from './format-metric.ts';
import { deliveredRows } from './job-rows.ts';
import { analyticsMessages } from './messages.ts';
import { MetricCard, MetricCards } from './metric-card.tsx';

const text = analyticsMessages.overview;

export function OverviewTab({ analytics }: { analytics: Analytics }) {
  const { overview, images, processingTime, users, days } = analytics;
  return (
    <div className="grid min-w-0 gap-5">
      <MetricCards label={text.tabs.overview}>
        <MetricCard
          label={text.totalUsers}
          kind="count"
          metric={users.total}
          formula={text.formulas.totalUsers}
          rows={{ page: 'users' }}
        />
        {overview.monthlyRevenue !== undefined && (
          <MetricCard
            label={text.monthlyRevenue}
            kind="amount"
            metric={overview.monthlyRevenue}
            formula={text.formulas.monthlyRevenue}
            rows={{ page: 'transactions', filter: { status: 'succeeded', from: monthStart() } }}
          />
        )}
        <MetricCard
          label={text.images}
          kind="count"
          metric={images}
          formula={text.formulas.images}
          rows={deliveredRows(analytics)}
        />
        <MetricCard
          label={text.time}
          kind="time"
          metric={processingTime.average}
          note={text.times(
            formatNumber(processingTime.median.value, 'time'),
            formatNumber(processingTime.p95.value, 'time'),
          )}
          formula={text.formulas.time}
          rows={deliveredRows(analytics)}
        />
      </MetricCards>
      <Card title={text.imagesChart}>
        <DayChart
          days={days}
          series={[
            { key: 'images', label: text.delivered },
            { key: 'failed', label: text.failed },
          ]}
          label={text.imagesChart}
        />
      </Card>
      <Card title={text.usersChart}>
        <DayChart days={days} series={[{ key: 'users', label: text.users }]} label={text.usersChart} />
      </Card>
    </div>
  );
}
