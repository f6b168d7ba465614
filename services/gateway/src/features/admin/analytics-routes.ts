import { AppError } from '@uprez/contracts/errors/app-error';
import { hasPermission, type Role } from '@uprez/contracts/policy/permissions';
import { readAnalytics } from '@uprez/domain/analytics/read-analytics';
import { readReports } from '@uprez/domain/analytics/read-reports';
import { readTopAccounts, readUsage } from '@uprez/domain/analytics/read-usage';
import type { Deps } from '../../deps.ts';
import { requireUser } from '../../http/authenticate.ts';
import type { Dialect } from '../dialect.ts';
import { analyticsFields, costColumns, tablePermissions } from './analytics-columns.ts';
import { summarize } from './analytics-summary.ts';
import { type Fields, sendFile } from './send-export.ts';

/** Analytics of the site, and their tables as files. */
export function registerAnalyticsRoutes({ route }: Dialect, deps: Deps): void {
  route('adminAnalytics', async (request) => {
    const { role } = await requireUser(deps, request);
    return readAnalytics(deps, { role, ...request.query });
  });
  route('adminAnalyticsReports', async (request) => {
    const { role } = await requireUser(deps, request);
    return readReports(deps, { role, ...request.query });
  });
  route('adminAnalyticsUsage', async (request) => readUsage(deps, request.query));
  route('adminTopAccounts', async (request) => readTopAccounts(deps, request.query));
  route('adminExportAnalytics', async (request, reply) => {
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
      return send(analyticsFields.summary, summarize(analytics, reports, await readUsage(deps, { period })));
    }
    const { days, cohorts, revenue } = analytics;
    if (table === 'days') return send(analyticsFields.days, days);
    if (table === 'cohorts') return send(analyticsFields.cohorts, cohorts);
    if (table === 'plans') return send(analyticsFields.plans, revenue?.plans ?? []);
    return send(analyticsFields.revenue, revenue?.days ?? []);
  });
}

/** The columns of the engines, without amounts for roles without revenue. */
const engineFields = (role: Role | null) =>
  hasPermission(role, 'revenue.read')
    ? analyticsFields.engines
    : Object.fromEntries(Object.entries(analyticsFields.engines).filter(([name]) => !costColumns.includes(name)));

async function* onePage<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}
