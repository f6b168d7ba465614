import type { AnalyticsTable } from '@uprez/contracts/policy/analytics';
import type { Permission } from '@uprez/contracts/policy/permissions';
import type {
  AnalyticsDay,
  AnalyticsUsageRow,
  Cohort,
  EngineReport,
  FailureReport,
  PlanRevenue,
  RevenueDay,
  TopAccount,
} from '@uprez/contracts/schemas/analytics';
import type { SummaryRow } from './analytics-summary.ts';
import type { Fields } from './send-export.ts';

/** What tables require besides reading analytics. */
export const tablePermissions: Partial<Record<AnalyticsTable, Permission>> = {
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

/** Columns with amounts. Files of roles without revenue don't have them. */
export const costColumns: readonly string[] = ['hour_price', 'cost', 'cost_per_image'];

/** The columns of each table as a file. Amounts are US dollars, times are milliseconds. */
export const analyticsFields: { [Table in AnalyticsTable]: Fields<Rows[Table]> } = {
  summary: {
    number: ({ number }) => number,
    unit: ({ unit }) => unit,
    value: ({ value }) => value,
    previous: ({ previous }) => previous,
  },
  days: {
    day: ({ day }) => day,
    images: ({ images }) => images,
    web_images: ({ webImages }) => webImages,
    api_images: ({ apiImages }) => apiImages,
    failed: ({ failed }) => failed,
    users: ({ users }) => users,
    new_users: ({ newUsers }) => newUsers,
    verified_users: ({ verifiedUsers }) => verifiedUsers,
    deleted_users: ({ deletedUsers }) => deletedUsers,
    active_users: ({ activeUsers }) => activeUsers,
  },
  cohorts: {
    signed_up: ({ cohort }) => cohort.slice(0, 7),
    month: ({ month }) => month.slice(0, 7),
    accounts: ({ accounts }) => accounts,
    active: ({ active }) => active,
    paying: ({ paying }) => paying,
  },
  revenue: {
    day: ({ day }) => day,
    received: ({ gross }) => gross,
    refunds: ({ refunds }) => refunds,
    mrr: ({ mrr }) => mrr,
    paying_accounts: ({ accounts }) => accounts,
    new_mrr: ({ newMrr }) => newMrr,
    expansion: ({ expansion }) => expansion,
    reactivation: ({ reactivation }) => reactivation,
    contraction: ({ contraction }) => contraction,
    churn: ({ churn }) => churn,
  },
  plans: {
    plan: ({ plan }) => plan,
    paying_accounts: ({ accounts }) => accounts,
    mrr: ({ mrr }) => mrr,
    revenue: ({ revenue }) => revenue,
  },
  engines: {
    engine: ({ engine }) => engine,
    completed: ({ completed }) => completed,
    failed: ({ failed }) => failed,
    success_share: ({ successShare }) => successShare,
    wait_p50_ms: ({ wait }) => wait.p50,
    wait_p95_ms: ({ wait }) => wait.p95,
    run_p50_ms: ({ run }) => run.p50,
    run_p95_ms: ({ run }) => run.p95,
    engine_ms: ({ engineMs }) => engineMs,
    hour_price: ({ hourPrice }) => hourPrice ?? null,
    cost: ({ cost }) => cost ?? null,
    cost_per_image: ({ costPerImage }) => costPerImage ?? null,
  },
  failures: {
    code: ({ code }) => code,
    engine: ({ engine }) => engine,
    count: ({ count }) => count,
    previous: ({ previous }) => previous,
  },
  usage: {
    plan: ({ plan }) => plan,
    surface: ({ surface }) => surface,
    images: ({ images }) => images,
    previous: ({ previous }) => previous,
    failed: ({ failed }) => failed,
  },
  accounts: {
    account: ({ id }) => id,
    email: ({ email }) => email,
    name: ({ name }) => name,
    plan: ({ plan }) => plan,
    images: ({ images }) => images,
    web: ({ web }) => web,
    api: ({ api }) => api,
    failed: ({ failed }) => failed,
  },
};
