import { type Figures, printTable } from '@uprez/testing/bench-report';
import { p95Figure } from '../support/print-latencies.ts';
import type { AdminBench } from './open-admin-bench.ts';
import { load, readPaths } from './read-paths.ts';
import { seedDays } from './seed-days.ts';

const pages = {
  overview: '/api/admin/analytics?period=1y',
  reports: '/api/admin/analytics/reports?period=1y',
  usage: '/api/admin/analytics/usage?period=1y',
};

/** The pages of analytics over a year, compared with the year before. */
export async function measureAnalytics(bench: AdminBench): Promise<Figures> {
  await bench.withBulkDb(seedDays);
  const { 'own account': own, ...rows } = await readPaths(bench, { 'own account': '/api/user', ...pages });
  printTable(`Milliseconds at ${load.perSecond} requests/s`, { 'own account': own ?? {}, ...rows });
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [`analytics: ${name}, p95`, p95Figure(row, 150)]),
  );
}
