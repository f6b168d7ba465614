import { type Figure, type Figures, printTable } from '@uprez/testing/bench-report';
import type { Subscriber } from '@uprez/testing/billing/open-billing-world';
import type { Answers } from '../load/send-at-rate.ts';
import type { Requests } from '../load/send-requests.ts';
import { runChild } from '../load/start-child.ts';
import { answersRow, p95Figure } from '../support/print-latencies.ts';
import { signUpCookie } from '../support/sign-up-cookie.ts';
import type { BillingBench } from './open-billing-bench.ts';
import { seedPayments } from './seed-payments.ts';

const load = { perSecond: 20, warmUpS: 2, seconds: 10 };

const read = async (url: string, cookie: string) =>
  answersRow(await runChild<Answers>('send-requests', { urls: [url], cookie, ...load } satisfies Requests));

/** The billing page of a subscriber, next to reading an account. */
export async function measureBillingPage(bench: BillingBench, subscriber: Subscriber): Promise<Figures> {
  const { product, counted } = bench;
  const { cookie } = await bench.signUpAs(subscriber);
  counted.take();
  const rows = {
    'GET /api/user': await read(`${product.url}/api/user`, cookie),
    'GET /api/billing': await read(`${product.url}/api/billing`, cookie),
    'GET /api/billing/invoices': await read(`${product.url}/api/billing/invoices`, cookie),
  };
  printTable(`Milliseconds at ${load.perSecond} requests/s`, rows);
  return {
    '`GET /api/billing`, p95': p95Figure(rows['GET /api/billing'], 50),
    'requests to Stripe meanwhile': { value: counted.take(), atMost: 0 },
  };
}

const lists = ['transactions', 'subscriptions', 'events', 'coupons', 'leads'];

/** The lists of administrators, each as it opens and with a search. */
export async function measureAdminLists(bench: BillingBench): Promise<Figures> {
  const { product, db, sizes } = bench;
  const { cookie, client } = await signUpCookie(product.url);
  const { id } = (await client.user()).data;
  await db.updateTable('users').set({ role: 'owner' }).where('id', '=', id).execute();
  await seedPayments(db, sizes.rows);
  const rows: Record<string, Awaited<ReturnType<typeof read>>> = {};
  for (const list of lists)
    for (const query of ['', '?search=bench']) {
      const path = `/api/admin/payments/${list}${query}`;
      rows[`GET ${path}`] = await read(product.url + path, cookie);
    }
  printTable(`Milliseconds at ${load.perSecond} requests/s; ${sizes.rows} rows`, rows);
  const slowest = (isIncluded: (path: string) => boolean): Figure => {
    const included = Object.entries(rows).filter(([path]) => isIncluded(path));
    return { value: Math.max(...included.map(([, { p95 }]) => p95)), atMost: 100, unit: 'ms' };
  };
  return {
    [`admin lists of ${sizes.rows} rows, slowest p95`]: slowest((path) => !path.includes('?')),
    'searches of these lists, slowest p95': slowest((path) => path.includes('?') && !path.includes('leads')),
    'search that all leads match, p95': slowest((path) => path.includes('leads?')),
  };
}
