import { type Figures, percentile, printTable } from '@uprez/testing/bench-report';
import type { Subscriber } from '@uprez/testing/billing/open-billing-world';
import { waitUntil } from '@uprez/testing/wait-until';
import type { Answers } from '../load/send-at-rate.ts';
import type { EventLoad } from '../load/send-events.ts';
import { runChild } from '../load/start-child.ts';
import { answersRow } from '../support/print-latencies.ts';
import { signUpCookie } from '../support/sign-up-cookie.ts';
import type { BillingBench } from './open-billing-bench.ts';

const perSecond = 100;
const parallel = 16;
const settleMs = 600_000;

/** How fast events are confirmed, next to reading an account in the same rounds. */
export async function measureEvents(bench: BillingBench, subscribers: readonly Subscriber[]): Promise<Figures> {
  const { product, sizes, db } = bench;
  const { cookie } = await signUpCookie(product.url);
  const load = makeLoad(bench, subscribers);
  const paced = await runChild<Answers>('send-events', { ...load, perSecond } satisfies EventLoad);
  const rates = { events: [] as number[], user: [] as number[] };
  for (let round = 0; round <= sizes.rounds; round += 1) {
    const user = await runChild<Answers>('send-events', { ...load, cookie } satisfies EventLoad);
    const events = await runChild<Answers>('send-events', load);
    // The first round is a warm-up.
    if (round > 0) rates.user.push(user.perSecond);
    if (round > 0) rates.events.push(events.perSecond);
  }
  const [events, user] = [percentile(rates.events), percentile(rates.user)];
  const row = answersRow(paced);
  printTable(`${sizes.events} events at ${perSecond}/s, milliseconds`, { 'POST /api/stripe/webhook': row });
  printTable(`Requests per second, ${parallel} at once, median of ${sizes.rounds} rounds`, {
    'GET /api/user': { 'a second': Math.round(user) },
    'POST /api/stripe/webhook': { 'a second': Math.round(events) },
  });
  await db.deleteFrom('stripeEvents').execute();
  await db
    .updateTable('billingCustomers')
    .set((eb) => ({ mirrored: eb.ref('wanted') }))
    .execute();
  return {
    [`confirmation of ${sizes.events} events at ${perSecond}/s, p99`]: { value: row.p99, atMost: 1_000, unit: 'ms' },
    'events confirmed per second, compared with `GET /api/user`': {
      value: events / user,
      atLeast: 0.5,
      unit: 'times',
    },
  };
}

/** What the dispatcher reads from Stripe for events that arrive at the same rate, and how long it takes. */
export async function measureSync(bench: BillingBench, subscribers: readonly Subscriber[]): Promise<Figures> {
  const { product, counted, sizes, db } = bench;
  const dispatcher = await product.spawn('dispatcher', { SWEEP_S: '5' });
  await dispatcher.ready();
  // Requests of its start.
  await waitUntil(async () => counted.take() === 0, { timeoutMs: 60_000, everyMs: 3_000 });
  const start = performance.now();
  const paced = await runChild<Answers>('send-events', { ...makeLoad(bench, subscribers), perSecond });
  const sentS = (performance.now() - start) / 1_000;
  const isSettled = async () => {
    const pending = db.selectFrom('stripeEvents').select('id').where('state', '=', 'pending').limit(1);
    return (await pending.executeTakeFirst()) === undefined;
  };
  await waitUntil(isSettled, { timeoutMs: settleMs, everyMs: 50 });
  const settledS = (performance.now() - start) / 1_000;
  const requests = counted.take();
  await dispatcher.end('SIGTERM');
  printTable(`Milliseconds, all events sent after ${sentS.toFixed(1)} s`, { sync: answersRow(paced) });
  return {
    [`requests to Stripe for ${sizes.events} events of ${subscribers.length} customers`]: {
      value: requests,
      atMost: sizes.events * 2,
    },
    'from the first event to the last one settled': { value: settledS, atMost: 60, unit: 's' },
  };
}

const makeLoad = ({ product, stripe, sizes }: BillingBench, subscribers: readonly Subscriber[]): EventLoad => ({
  url: product.url,
  secret: stripe.env.STRIPE_WEBHOOK_SECRET,
  customerIds: subscribers.map(({ customerId }) => customerId),
  count: sizes.events,
  parallel,
});
