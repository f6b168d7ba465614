import { currentPlans } from '@uprez/contracts/policy/plans';
import type { Analytics, PlanRevenue } from '@uprez/contracts/schemas/analytics';
import { formatCount } from '@uprez/contracts/texts/format';
import { DayChart } from '../../../ui/charts/day-chart.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { formatNumber } from './format-metric.ts';
import type { Days } from './job-rows.ts';
import { analyticsMessages } from './messages.ts';
import { MetricCard, MetricCards } from './metric-card.tsx';
import { ReportTable } from './report-table.tsx';
import { RowLink, type Rows } from './row-link.tsx';

const text = analyticsMessages.revenue;
type Revenue = NonNullable<Analytics['revenue']>;
type Movement = keyof Revenue['movements'];

const movements = ['start', 'new', 'expansion', 'reactivation', 'contraction', 'churn', 'end'] as const;
const isLoss = (movement: Movement) => movement === 'contraction' || movement === 'churn';
const nameOf = ({ plan }: PlanRevenue) => (plan === 'pack' ? analyticsMessages.packs : currentPlans[plan].name);
/** Packs have payments only. */
const subscriptionsOf = ({ plan }: PlanRevenue): Rows =>
  plan === 'pack' ? { page: 'transactions' } : { page: 'subscriptions', filter: { status: 'live', tier: plan } };
const amount = (value: number) => formatNumber(value, 'amount');

const planColumns = [
  {
    name: text.plan,
    cell: (row: PlanRevenue) => <RowLink rows={subscriptionsOf(row)}>{nameOf(row)}</RowLink>,
  },
  { name: text.accounts, cell: ({ accounts }: PlanRevenue) => formatCount(accounts), isNumeric: true },
  { name: text.planMrr, cell: ({ mrr }: PlanRevenue) => amount(mrr), isNumeric: true },
  { name: text.planRevenue, cell: ({ revenue }: PlanRevenue) => amount(revenue), isNumeric: true },
];

type RevenueCardsProps = { revenue: Revenue; total: number; span: Days };

function RevenueCards({ revenue, total, span: { from, to } }: RevenueCardsProps) {
  const paid = (days: Partial<Days>): Rows => ({ page: 'transactions', filter: { status: 'succeeded', ...days } });
  const subscriptions: Rows = { page: 'subscriptions', filter: { status: 'live' } };
  const canceled: Rows = { page: 'subscriptions', filter: { status: 'canceled' } };
  const { formulas } = text;
  return (
    <MetricCards label={analyticsMessages.overview.tabs.revenue}>
      <MetricCard label={text.total} kind="amount" metric={total} formula={formulas.total} rows={paid({})} />
      <MetricCard label={text.mrr} kind="amount" metric={revenue.mrr} formula={formulas.mrr} rows={subscriptions} />
      <MetricCard
        label={text.subscriptions}
        kind="count"
        metric={revenue.activeSubscriptions}
        formula={formulas.subscriptions}
        rows={subscriptions}
      />
      <MetricCard
        label={text.received}
        kind="amount"
        metric={revenue.received}
        formula={formulas.received}
        rows={paid({ from, to })}
      />
      <MetricCard
        label={text.paying}
        kind="count"
        metric={revenue.payingAccounts}
        formula={formulas.paying}
        rows={subscriptions}
      />
      <MetricCard label={text.arpu} kind="amount" metric={revenue.arpu} formula={formulas.arpu} rows={subscriptions} />
      <MetricCard
        label={text.accountChurn}
        kind="share"
        metric={revenue.accountChurn}
        formula={formulas.accountChurn}
        rows={canceled}
      />
      <MetricCard
        label={text.mrrChurn}
        kind="share"
        metric={revenue.mrrChurn}
        formula={formulas.mrrChurn}
        rows={canceled}
      />
    </MetricCards>
  );
}

export function RevenueTab({ revenue, total, span }: RevenueCardsProps) {
  const plans = revenue.plans.filter((plan) => plan.plan !== 'free' || plan.revenue !== 0);
  const movementColumns = [
    { name: text.movement, cell: (movement: Movement) => text.rows[movement] },
    {
      name: text.amount,
      cell: (movement: Movement) =>
        amount(isLoss(movement) ? 0 - revenue.movements[movement] : revenue.movements[movement]),
      isNumeric: true,
    },
    { name: text.formula, cell: (movement: Movement) => text.movementFormulas[movement] },
  ];
  return (
    <div className="grid min-w-0 gap-5">
      <RevenueCards revenue={revenue} total={total} span={span} />
      <Card title={text.mrrChart}>
        <DayChart
          days={revenue.days}
          series={[{ key: 'mrr', label: text.planMrr }]}
          label={text.mrrChart}
          format={amount}
        />
      </Card>
      <Card title={text.moneyChart}>
        <DayChart
          days={revenue.days}
          series={[
            { key: 'gross', label: text.payments },
            { key: 'refunds', label: text.refunds },
          ]}
          label={text.moneyChart}
          format={amount}
        />
      </Card>
      <div className="grid min-w-0 gap-5 xl:grid-cols-2">
        <Card title={text.movements}>
          <p className="text-muted text-sm">{text.movementFormula}</p>
          <ReportTable caption={text.movements} rows={movements} columns={movementColumns} keyOf={(row) => row} />
        </Card>
        <Card title={text.plans}>
          <p className="text-muted text-sm">{text.planFormula}</p>
          <ReportTable caption={text.plans} rows={plans} columns={planColumns} keyOf={({ plan }) => plan} />
        </Card>
      </div>
    </div>
  );
}
