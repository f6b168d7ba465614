import { printGoals } from '../support/print-goals.ts';
import type { AdminBench } from './open-admin-bench.ts';
import { readPaths } from './read-paths.ts';
import { seedDays } from './seed-days.ts';

const pages = {
  overview: '/api/admin/analytics?period=1y',
  reports: '/api/admin/analytics/reports?period=1y',
  usage: '/api/admin/analytics/usage?period=1y',
};

/** The pages of analytics over a year, compared with the year before. */
export async function measureAnalytics(bench: AdminBench): Promise<void> {
  await bench.withBulkDb(seedDays);
  const rows = await readPaths(bench, { 'own account': '/api/user', ...pages });
  console.table(rows);
  printGoals(
    Object.fromEntries(
      Object.keys(pages).map((name) => [
        `${name}, p95`,
        { value: rows[name]?.p95 ?? Infinity, atMost: 150, unit: 'ms' },
      ]),
    ),
  );
}
