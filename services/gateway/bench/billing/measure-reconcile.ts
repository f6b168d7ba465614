import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { reconcileSubscriptions } from '@uprez/domain/billing/reconcile/reconcile-subscriptions';
import { syncNextCustomer } from '@uprez/domain/billing/sync/sync-customer';
import { openPayments } from '@uprez/payments/open-payments';
import type { Figures } from '@uprez/testing/bench-report';
import type { Subscriber } from '@uprez/testing/billing/open-billing-world';
import { sql } from 'kysely';
import type { BillingBench } from './open-billing-bench.ts';

/**
 * The comparison of all subscriptions with Stripe. A server lists copies of one subscription of the double, since it would take
 * long to buy them all.
 */
export async function measureReconcile(bench: BillingBench): Promise<Figures> {
  const { db, stripe, sizes, verbs } = bench;
  const subscriber = await bench.subscribeOne('pro');
  const server = await listCopies(stripe, subscriber, sizes.subscriptions);
  const payments = openPayments({
    ...{ mode: 'test', secretKey: stripe.env.STRIPE_SECRET_KEY, publishableKey: stripe.env.STRIPE_PUBLISHABLE_KEY },
    ...{ webhookSecrets: [], apiUrl: server.url },
  });
  await sql`
    insert into billing_customers (stripe_id, wanted, mirrored)
    select 'cus_copy_' || n, 1, 1 from generate_series(0, ${sizes.subscriptions - 1}::int) n`.execute(db);
  await sql`
    insert into subscriptions
    select (jsonb_populate_record(one, jsonb_build_object('id', 'sub_copy_' || n, 'customer_id', 'cus_copy_' || n,
      'fetched_at', now() - interval '1 day'))).*
    from subscriptions one, generate_series(0, ${sizes.subscriptions - 1}::int) n where id = ${subscriber.subscriptionId}`.execute(
    db,
  );
  const start = performance.now();
  const found = await reconcileSubscriptions({ ...verbs, payments });
  const seconds = (performance.now() - start) / 1_000;
  console.log(`${server.count()} requests to Stripe, ${found} subscriptions differ`);
  payments.close();
  server.close();
  // Those that the server didn't list are read again, and the copies go.
  await sql`delete from subscriptions where id like 'sub_copy_%'`.execute(db);
  await sql`delete from billing_customers where stripe_id like 'cus_copy_%'`.execute(db);
  while (await syncNextCustomer({ ...verbs, payments: stripe.payments }));
  return {
    // The goal is for 5,000 subscriptions.
    [`comparison of ${sizes.subscriptions} subscriptions with Stripe`]: {
      value: seconds,
      atMost: (60 * sizes.subscriptions) / 5_000,
      unit: 's',
    },
  };
}

/** Lists `count` copies of a subscription, as Stripe does. */
async function listCopies({ double, env }: BillingBench['stripe'], subscriber: Subscriber, count: number) {
  let requests = 0;
  let model: string | undefined;
  const headers = { authorization: `Bearer ${env.STRIPE_SECRET_KEY}` };
  /** Asks for the same fields as the request. */
  const readModel = async (asked: URLSearchParams) => {
    const params = new URLSearchParams([...asked].filter(([name]) => name !== 'starting_after'));
    params.set('customer', subscriber.customerId);
    const response = await fetch(`${double.url}/v1/subscriptions?${params}`, { headers });
    const { data } = (await response.json()) as { data: object[] };
    return JSON.stringify(data[0]);
  };
  const server = http.createServer(async (request, response) => {
    requests += 1;
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    model ??= await readModel(searchParams);
    const text = model;
    const copy = (number: number): object =>
      JSON.parse(
        text
          .replaceAll(subscriber.subscriptionId, `sub_copy_${number}`)
          .replaceAll(subscriber.customerId, `cus_copy_${number}`),
      );
    const after = searchParams.get('starting_after')?.replace('sub_copy_', '');
    const from = after === undefined ? 0 : Number(after) + 1;
    const until = Math.min(count, from + Number(searchParams.get('limit') ?? 10));
    const data = Array.from({ length: until - from }, (_, n) => copy(from + n));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ object: 'list', url: '/v1/subscriptions', has_more: until < count, data }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
