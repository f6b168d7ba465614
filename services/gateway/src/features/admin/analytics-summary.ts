import type { Analytics, AnalyticsReports, AnalyticsUsage, Metric } from '@uprez/contracts/schemas/analytics';

/** A number of the pages of analytics. Shares are 0 to 1. `previous`: null if it isn't compared. */
export type SummaryRow = {
  number: string;
  unit: 'count' | 'usd' | 'share' | 'ms';
  value: number | null;
  previous: number | null;
};
type Unit = SummaryRow['unit'];
type Numbers = Record<string, Metric | number | undefined>;

const toRows = (unit: Unit, numbers: Numbers): SummaryRow[] =>
  Object.entries(numbers).flatMap(([number, metric]) => {
    if (metric === undefined) return [];
    const { value, previous } = typeof metric === 'number' ? { value: metric, previous: null } : metric;
    return [{ number, unit, value, previous }];
  });

const summarizeRevenue = (revenue: NonNullable<Analytics['revenue']>): SummaryRow[] => [
  ...toRows('usd', { revenue: revenue.received, mrr: revenue.mrr, arpu: revenue.arpu }),
  ...toRows('count', {
    active_subscriptions: revenue.activeSubscriptions,
    paying_accounts: revenue.payingAccounts,
  }),
  ...toRows('share', { account_churn_rate: revenue.accountChurn, mrr_churn_rate: revenue.mrrChurn }),
  ...toRows(
    'usd',
    Object.fromEntries(Object.entries(revenue.movements).map(([movement, amount]) => [`mrr_${movement}`, amount])),
  ),
];

/** All numbers of the pages of analytics. Amounts are left out for roles that don't include them. */
export function summarize(
  { overview, images, processingTime, users, revenue }: Analytics,
  reports: AnalyticsReports,
  usage: AnalyticsUsage,
): SummaryRow[] {
  const { average, median, p95 } = processingTime;
  return [
    ...toRows('count', {
      ...{ total_users: users.total, new_users: users.new, verified_users: users.verified },
      ...{ deleted_users: users.deleted, active_users: users.active },
      ...{ images, web_images: usage.web, api_images: usage.api, images_this_month: overview.monthlyImages },
    }),
    ...toRows('share', { success_rate: reports.successShare }),
    ...toRows('ms', {
      ...{ processing_time_average: average, processing_time_median: median, processing_time_p95: p95 },
      ...{ wait_median: reports.wait.p50, wait_p95: reports.wait.p95, engine_time: reports.engineMs },
    }),
    ...toRows('usd', {
      ...{ engine_cost: reports.cost, cost_per_image: reports.costPerImage },
      ...{ revenue_this_month: overview.monthlyRevenue, total_revenue: overview.totalRevenue },
    }),
    ...(revenue ? summarizeRevenue(revenue) : []),
  ];
}
