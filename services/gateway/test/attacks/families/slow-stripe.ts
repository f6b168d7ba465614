import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { openDb } from '@uprez/db/open-db';
import { createCustomer } from '@uprez/payments/customers';
import { percentile } from '@uprez/testing/bench-report';
import { openTestStripe } from '@uprez/testing/billing/open-test-stripe';
import type { SpawnedService } from '@uprez/testing/products/spawn-service';
import { waitUntil } from '@uprez/testing/wait-until';
import { openStalledProxy } from '../../../../dispatcher/test/support/open-stalled-proxy.ts';
import type { Attack, Found, Input, Target, World } from '../support/attack.ts';
import { addressOf, call, callJson } from '../support/calls.ts';
import { spare } from '../support/judge.ts';

const stalledAccounts = 100;
const signUpsAtOnce = 10;
const reads = 150;
const readEveryMs = 30;
/** The dispatcher begins 8 requests per second that get no reply, so 100 take 13 seconds. */
const syncMs = 30_000;
/** The ratio of a slow to a quiet time. The floor is that of other reads. */
const [slowdown, floorMs] = [1.5, 250];

type Opened = { close: () => Promise<void> };
let opened: Opened | undefined;

/** Starts a gateway and a dispatcher whose requests about 100 accounts get no reply from Stripe. */
async function prepare({ product, signUp }: World): Promise<Input> {
  const stripe = await openTestStripe();
  const proxy = await openStalledProxy(stripe.double.url);
  proxy.stall('cus_stalled');
  const cookies: string[] = [];
  while (cookies.length < stalledAccounts) {
    const accounts = await Promise.all(Array.from({ length: signUpsAtOnce }, signUp));
    const stalled = accounts.map(({ id }) => ({ stripeId: `cus_stalled_${id}`, accountId: id, mirrored: 1 }));
    await product.db.insertInto('billingCustomers').values(stalled).execute();
    cookies.push(...accounts.map(({ cookie }) => cookie));
  }
  await product.db.updateTable('users').set({ emailVerified: true }).execute();
  const { id: accountId, cookie } = await signUp();
  const origin = { accountId, callId: randomUUID(), idempotencyKey: randomUUID() };
  const { id: stripeId } = await createCustomer(stripe.payments, { ...origin, email: 'ada@example.test' });
  await product.db.insertInto('billingCustomers').values({ stripeId, accountId, mirrored: 1 }).execute();
  const prices = { planVersion: 1, amount: 700, currency: 'usd', active: true, interval: 'month' } as const;
  const price = { id: 'price_stalled', tier: 'pro', lookupKey: 'stalled', ...prices } as const;
  await product.db.insertInto('prices').values(price).execute();
  const env = { ...stripe.env, STRIPE_API_URL: proxy.url, RATE_LIMIT_SCALE: '1000' };
  const services: SpawnedService[] = [await product.spawn('gateway', env), await product.spawn('dispatcher', env)];
  opened = {
    close: async () => {
      for (const service of services) await service.end('SIGKILL');
      proxy.close();
      await stripe.close();
    },
  };
  await Promise.all(services.map((service) => service.ready()));
  const url = (await services[0]?.publicUrl()) ?? '';
  const { DATABASE_URL: databaseUrl = '' } = product.env;
  return { gateway: url, databaseUrl, cookies: JSON.stringify(cookies), cookie, stripeId };
}

/** Returns the 95th percentile of the milliseconds that a signed-in user waits. */
async function measureReads(url: string, cookie: string): Promise<number> {
  const agent = new http.Agent({ keepAlive: true });
  const times: number[] = [];
  for (let at = 0; at < reads; at += 1) {
    const start = performance.now();
    const { status } = await call({ url, path: '/api/user', headers: { cookie }, agent });
    if (status === 200) times.push(performance.now() - start);
    await delay(readEveryMs);
  }
  agent.destroy();
  return times.length === reads ? percentile(times, 0.95) : Infinity;
}

/** Purchases, and customers to read, whose requests to Stripe get no reply, while another account does the same. */
async function stall({ input }: Target) {
  const { gateway: url = '', cookie = '', databaseUrl = '', stripeId = '' } = input;
  const { db, close } = openDb({ url: databaseUrl, poolSize: 1, onError: () => {} });
  const body = { priceId: 'pro' };
  const quietMs = await measureReads(url, cookie);
  const stalledBy = db.updateTable('billingCustomers').set({ wanted: 2 }).where('stripeId', '<>', stripeId);
  await stalledBy.execute();
  const start = performance.now();
  await db.updateTable('billingCustomers').set({ wanted: 2 }).where('stripeId', '=', stripeId).execute();
  const cookies: string[] = JSON.parse(input.cookies ?? '[]');
  const buying = cookies.map((one, at) =>
    callJson({ url, path: '/api/create-subscription', headers: { cookie: one }, body, from: addressOf(12, at) }),
  );
  const duringMs = await measureReads(url, cookie);
  const readCustomer = () =>
    db.selectFrom('billingCustomers').select('mirrored').where('stripeId', '=', stripeId).executeTakeFirstOrThrow();
  await waitUntil(async () => (await readCustomer()).mirrored === 2, { timeoutMs: 2 * syncMs }).catch(() => {});
  const syncedMs = performance.now() - start;
  const replies = await Promise.all(buying);
  await close();
  const unavailable = replies.filter(({ status }) => status === 503).length;
  return { quietMs, duringMs, syncedMs, unavailable };
}

function check({ facts, before, peak }: Found) {
  const { quietMs = 0, duringMs = Infinity, syncedMs = Infinity, unavailable } = facts;
  const [was, most] = [before.gateway, peak.gateway];
  return {
    'purchases without a reply return 503': unavailable === stalledAccounts,
    'GET /api/user is not slower': duringMs <= Math.max(floorMs, slowdown * quietMs),
    'the customer of another account is read meanwhile': syncedMs <= syncMs,
    'memory is limited': (most?.memoryMb ?? Infinity) <= (was?.memoryMb ?? 0) + spare.memoryMb,
    // Each request has one connection of its client and one to Stripe.
    'connections are limited':
      (most?.connections ?? Infinity) <= (was?.connections ?? 0) + 2 * stalledAccounts + spare.connections,
  };
}

export const slowStripe: Attack = {
  name: 'slow-stripe',
  seconds: 0,
  isServer: true,
  prepare,
  run: stall,
  check,
  restore: async ({ product }) => {
    await opened?.close();
    await product.db.deleteFrom('billingCalls').execute();
    await product.db.deleteFrom('billingCustomers').execute();
    await product.db.deleteFrom('prices').execute();
  },
  warnings: /payments: unreachable|billing_unavailable/,
};
