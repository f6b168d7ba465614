import { type Figures, printTable } from '@uprez/testing/bench-report';
import { p95Figure } from '../support/print-latencies.ts';
import type { AdminBench } from './open-admin-bench.ts';
import { load, readPaths } from './read-paths.ts';

/** Returns the URL of the page after `pages` pages of a list. */
async function readAhead({ product, cookie }: AdminBench, path: string, pages: number): Promise<string> {
  let next = path;
  for (let page = 0; page < pages; page += 1) {
    const response = await fetch(product.url + next, { headers: { cookie } });
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? next;
  }
  return next;
}

/** Paths of lists, the number of pages before the measured one, and the group whose slowest p95 has a goal. */
const lists = [
  ['search', '/api/admin/users?search=Number%204242', 0, 'search'],
  ['search for part of an email address', '/api/admin/users?search=a1b2c', 0, 'search'],
  ['first page', '/api/admin/users', 0, 'pages by date and of one plan'],
  ['page 100', '/api/admin/users?limit=100', 100, 'pages by date and of one plan'],
  ['oldest first', '/api/admin/users?sort=created', 0, 'pages by date and of one plan'],
  ['one plan', '/api/admin/users?tier=pro', 0, 'pages by date and of one plan'],
  ['most images', '/api/admin/users?sort=-images', 0, 'most images'],
  ['most calls, page 20', '/api/admin/users?sort=-calls&limit=100', 20, 'most calls, page 20'],
] as const;
/** The largest p95 of each group, milliseconds. */
const goals = { search: 50, 'pages by date and of one plan': 150, 'most images': 300, 'most calls, page 20': 300 };

/** The lists of users, next to reading the own account. */
export async function measureUsers(bench: AdminBench): Promise<Figures> {
  const { sizes } = bench;
  const paths: Record<string, string> = { 'own account': '/api/user' };
  for (const [name, path, pages] of lists) paths[name] = await readAhead(bench, path, pages);
  const rows = await readPaths(bench, paths);
  printTable(
    `Milliseconds at ${load.perSecond} requests/s; ${sizes.users} users, ${sizes.jobs} images this month`,
    rows,
  );
  const slowest = (group: string) =>
    lists
      .flatMap(([name, , , of]) => (of === group && rows[name] ? [rows[name]] : []))
      .reduce((one, other) => (one.p95 < other.p95 ? other : one));
  return Object.fromEntries(
    Object.entries(goals).map(([group, atMost]) => [`users: ${group}, slowest p95`, p95Figure(slowest(group), atMost)]),
  );
}
