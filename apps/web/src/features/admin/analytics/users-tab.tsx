import type { Analytics } from '@uprez/contracts/schemas/analytics';
import { DayChart } from '../../../ui/charts/day-chart.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { CohortsCard } from './cohorts-card.tsx';
import { analyticsMessages } from './messages.ts';
import { MetricCard, MetricCards } from './metric-card.tsx';

const text = analyticsMessages.users;

export function UsersTab({ analytics: { users, days, cohorts } }: { analytics: Analytics }) {
  return (
    <div className="grid min-w-0 gap-5">
      <MetricCards label={analyticsMessages.overview.tabs.users}>
        <MetricCard
          label={text.new}
          kind="count"
          metric={users.new}
          formula={text.formulas.new}
          rows={{ page: 'users' }}
        />
        <MetricCard
          label={text.verified}
          kind="count"
          metric={users.verified}
          formula={text.formulas.verified}
          rows={{ page: 'users', filter: { status: 'verified' } }}
        />
        <MetricCard
          label={text.active}
          kind="average"
          metric={users.active}
          formula={text.formulas.active}
          rows={{ page: 'users', filter: { sort: '-images' } }}
        />
        <MetricCard label={text.deleted} kind="count" metric={users.deleted} formula={text.formulas.deleted} />
      </MetricCards>
      <Card title={text.signUpsChart}>
        <DayChart
          days={days}
          series={[
            { key: 'newUsers', label: text.newSeries },
            { key: 'verifiedUsers', label: text.verifiedSeries },
          ]}
          label={text.signUpsChart}
        />
      </Card>
      <Card title={text.activeChart}>
        <DayChart days={days} series={[{ key: 'activeUsers', label: text.activeSeries }]} label={text.activeChart} />
      </Card>
      <CohortsCard cohorts={cohorts} />
    </div>
  );
}
