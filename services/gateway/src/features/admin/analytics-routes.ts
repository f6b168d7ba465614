import { AppError } from '@uprez/contracts/errors/app-error';
import type { AnalyticsTable } from '@uprez/contracts/policy/admin/analytics';
import { hasPermission, type Permission, type Role } from '@uprez/contracts/policy/admin/permissions';
import type {
  Analytics,
  AnalyticsDay,
  AnalyticsReports,
  AnalyticsUsage,
  AnalyticsUsageRow,
  Cohort,
  EngineReport,
  FailureReport,
  Metric,
  PlanRevenue,
  RevenueDay,
  TopAccount,
} from '@uprez/contracts/schemas/admin/analytics';
import { readAnalytics } from '@uprez/domain/analytics/read-analytics';
import { readReports } from '@uprez/domain/analytics/read-reports';
import { readTopAccounts, readUsage } from '@uprez/domain/analytics/read-usage';
import type { Deps } from '../../deps.ts';
import { requireUser } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { type Fields, propertyFields, sendFile } from './send-export.ts';

/** Permissions that tables require in addition to reading analytics. */
const tablePermissions: Partial<Record<AnalyticsTable, Permission>> = {
  revenue: 'revenue.read',
  plans: 'revenue.read',
  accounts: 'users.read',
};

type Rows = {
  summary: SummaryRow;
  days: AnalyticsDay;
  cohorts: Cohort;
  revenue: RevenueDay;
  plans: PlanRevenue;
  engines: EngineReport;
  failures: FailureReport;
  usage: AnalyticsUsageRow;
  accounts: TopAccount;
};

/** Columns of the engines table that contain amounts. They are omitted for roles without access to revenue. */
const costColumns: readonly string[] = ['hour_price', 'cost', 'cost_per_image'];

/** Amounts are in US dollars, and times are in milliseconds. */
const analyticsFields: { [Table in AnalyticsTable]: Fields<Rows[Table]> } = {
  summary: propertyFields<SummaryRow>('number', 'unit', 'value', 'previous'),
  days: propertyFields<AnalyticsDay>(
    'day',
    'images',
    'webImages',
    'apiImages',
    'failed',
    'users',
    'newUsers',
    'verifiedUsers',
    'deletedUsers',
    'activeUsers',
  ),
  cohorts: {
    signed_up: ({ cohort }) => cohort.slice(0, 7),
    month: ({ month }) => month.slice(0, 7),
    ...propertyFields<Cohort>('accounts', 'active', 'paying'),
  },
  revenue: {
    day: ({ day }) => day,
    received: ({ gross }) => gross,
    refunds: ({ refunds }) => refunds,
    mrr: ({ mrr }) => mrr,
    paying_accounts: ({ accounts }) => accounts,
    ...propertyFields<RevenueDay>('newMrr', 'expansion', 'reactivation', 'contraction', 'churn'),
  },
  plans: {
    plan: ({ plan }) => plan,
    paying_accounts: ({ accounts }) => accounts,
    mrr: ({ mrr }) => mrr,
    revenue: ({ revenue }) => revenue,
  },
  engines: {
    ...propertyFields<EngineReport>('engine', 'completed', 'failed', 'successShare'),
    wait_p50_ms: ({ wait }) => wait.p50,
    wait_p95_ms: ({ wait }) => wait.p95,
    run_p50_ms: ({ run }) => run.p50,
    run_p95_ms: ({ run }) => run.p95,
    engine_ms: ({ engineMs }) => engineMs,
    hour_price: ({ hourPrice }) => hourPrice ?? null,
    cost: ({ cost }) => cost ?? null,
    cost_per_image: ({ costPerImage }) => costPerImage ?? null,
  },
  failures: propertyFields<FailureReport>('code', 'engine', 'count', 'previous'),
  usage: propertyFields<AnalyticsUsageRow>('plan', 'surface', 'images', 'previous', 'failed'),
  accounts: {
    account: ({ id }) => id,
    ...propertyFields<TopAccount>('email', 'name', 'plan', 'images', 'web', 'api', 'failed'),
  },
};

export const analyticsHandlers = (deps: Deps) =>
  defineHandlers({
    adminAnalytics: async (request) => {
      const { role } = await requireUser(deps, request);
      return readAnalytics(deps, { role, ...request.query });
    },
    adminAnalyticsReports: async (request) => {
      const { role } = await requireUser(deps, request);
      return readReports(deps, { role, ...request.query });
    },
    adminAnalyticsUsage: async (request) => readUsage(deps, request.query),
    adminTopAccounts: async (request) => readTopAccounts(deps, request.query),
    adminExportAnalytics: async (request, reply) => {
      const { table, period, format = 'csv' } = request.query;
      const { role } = await requireUser(deps, request);
      const needed = tablePermissions[table];
      if (needed && !hasPermission(role, needed)) throw new AppError('permission_missing');
      const send = <Row>(fields: Fields<Row>, rows: readonly Row[]) =>
        sendFile(reply, { name: `analytics-${table}`, fields, pages: onePage(rows), format });
      if (table === 'engines' || table === 'failures') {
        const reports = await readReports(deps, { role, period });
        return table === 'engines'
          ? send(engineFields(role), reports.engines)
          : send(analyticsFields.failures, reports.failures);
      }
      if (table === 'usage') return send(analyticsFields.usage, (await readUsage(deps, { period })).rows);
      if (table === 'accounts') return send(analyticsFields.accounts, await readTopAccounts(deps, { period }));
      const analytics = await readAnalytics(deps, { role, period });
      if (table === 'summary') {
        const reports = await readReports(deps, { role, period });
        return send(analyticsFields.summary, makeSummaryRows(analytics, reports, await readUsage(deps, { period })));
      }
      const { days, cohorts, revenue } = analytics;
      if (table === 'days') return send(analyticsFields.days, days);
      if (table === 'cohorts') return send(analyticsFields.cohorts, cohorts);
      if (table === 'plans') return send(analyticsFields.plans, revenue?.plans ?? []);
      return send(analyticsFields.revenue, revenue?.days ?? []);
    },
  });

const engineFields = (role: Role | null) =>
  hasPermission(role, 'revenue.read')
    ? analyticsFields.engines
    : Object.fromEntries(Object.entries(analyticsFields.engines).filter(([name]) => !costColumns.includes(name)));

async function* onePage<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}

/** Shares are fractions from 0 to 1. `previous` is null if the metric isn't compared with an earlier period. */
type SummaryRow = {
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

/** Omits amounts that the reports don't contain because the administrator's role can't access them. */
function makeSummaryRows(
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
