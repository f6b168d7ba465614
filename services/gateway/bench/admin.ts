import { parseArgs } from 'node:util';
import { chooseSections, compareGoals, type Figures, reportResults } from '@uprez/testing/bench-report';
import { measureAnalytics } from './admin/measure-analytics.ts';
import { measureClaims } from './admin/measure-claims.ts';
import { measureExport } from './admin/measure-export.ts';
import { measureUsers } from './admin/measure-users.ts';
import { type AdminBench, openAdminBench } from './admin/open-admin-bench.ts';

/** Measures the back office with many accounts and images. Run by `npm run bench:admin -- [section...] [--save]`. */
const sections: Record<string, (bench: AdminBench) => Promise<Figures>> = {
  users: measureUsers,
  analytics: measureAnalytics,
  claims: measureClaims,
  export: measureExport,
};

/** With the accounts of the bench itself, an export has less than its limit of 100,000 rows. */
const users = '99990';
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    users: { type: 'string', default: users },
    jobs: { type: 'string', default: '300000' },
    save: { type: 'boolean' },
  },
});
const chosen = chooseSections(sections, positionals);

const bench = await openAdminBench({ users: Number(values.users), jobs: Number(values.jobs) });
try {
  const figures: Figures = {};
  for (const measure of chosen) Object.assign(figures, await measure(bench));
  reportResults(['admin', ...positionals].join(' '), compareGoals(figures));
} finally {
  await bench.close();
}
