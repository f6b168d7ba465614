import { type Goal, printGoals } from '../support/print-goals.ts';
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

/** Milliseconds that pages of the users take, and the largest p95 that is accepted. */
const lists = [
  ['search', '/api/admin/users?search=Number%204242', 0, 50],
  ['search for part of an email address', '/api/admin/users?search=a1b2c', 0, 50],
  ['first page', '/api/admin/users', 0, 150],
  ['page 100', '/api/admin/users?limit=100', 100, 150],
  ['oldest first', '/api/admin/users?sort=created', 0, 150],
  ['one plan', '/api/admin/users?tier=pro', 0, 150],
  ['most images', '/api/admin/users?sort=-images', 0, 300],
  ['most calls, page 20', '/api/admin/users?sort=-calls&limit=100', 20, 300],
] as const;

/** The lists of users, next to reading the own account. */
export async function measureUsers(bench: AdminBench): Promise<void> {
  const { sizes } = bench;
  const paths: Record<string, string> = { 'own account': '/api/user' };
  for (const [name, path, pages] of lists) paths[name] = await readAhead(bench, path, pages);
  const rows = await readPaths(bench, paths);
  const goalOf = (name: string, atMost: number): Goal => ({ value: rows[name]?.p95 ?? Infinity, atMost, unit: 'ms' });
  console.log(`Milliseconds at ${load.perSecond} requests/s; ${sizes.users} users, ${sizes.jobs} images this month`);
  console.table(rows);
  printGoals(Object.fromEntries(lists.map(([name, , , atMost]) => [`${name}, p95`, goalOf(name, atMost)])));
}
