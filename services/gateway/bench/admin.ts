import { parseArgs } from 'node:util';
import { describeMachine } from '@uprez/testing/bench-report';
import { measureAnalytics } from './admin/measure-analytics.ts';
import { measureClaims } from './admin/measure-claims.ts';
import { measureExport } from './admin/measure-export.ts';
import { measureUsers } from './admin/measure-users.ts';
import { type AdminBench, openAdminBench } from './admin/open-admin-bench.ts';

/** Measures the back office with many accounts and images. Run by `npm run bench:admin -- [section...]`. */
const sections: Record<string, (bench: AdminBench) => Promise<void>> = {
  users: measureUsers,
  analytics: measureAnalytics,
  claims: measureClaims,
  export: measureExport,
};

/** With the accounts of the bench itself, an export has less than its limit of 100,000 rows. */
const users = '99990';
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { users: { type: 'string', default: users }, jobs: { type: 'string', default: '300000' } },
});
const unknown = positionals.filter((name) => !Object.hasOwn(sections, name));
if (unknown.length > 0)
  throw new Error(`no section ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}`);

const bench = await openAdminBench({ users: Number(values.users), jobs: Number(values.jobs) });
try {
  console.log(describeMachine());
  for (const [name, measure] of Object.entries(sections))
    if (positionals.length === 0 || positionals.includes(name)) await measure(bench);
} finally {
  await bench.close();
}
