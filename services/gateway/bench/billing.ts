import { parseArgs } from 'node:util';
import { describeMachine } from '@uprez/testing/bench-report';
import { measureEvents, measureSync } from './billing/measure-events.ts';
import { measureOthers } from './billing/measure-others.ts';
import { measureAdminLists, measureBillingPage } from './billing/measure-reads.ts';
import { measureReconcile } from './billing/measure-reconcile.ts';
import { type BillingBench, openBillingBench } from './billing/open-billing-bench.ts';

/**
 * Measures what billing costs: Stripe events, the sync, pages, admin lists, the comparison with Stripe, and the
 * effect on other requests. Run by `npm run bench:billing -- [section...]`. A Stripe double in this process shares the machine.
 */
const sections: Record<string, (bench: BillingBench) => Promise<void>> = {
  events: async (bench) => measureEvents(bench, await bench.customers()),
  sync: async (bench) => measureSync(bench, await bench.customers()),
  page: async (bench) => {
    for (const subscriber of await bench.subscribeAll(1)) await measureBillingPage(bench, subscriber);
  },
  others: async (bench) => {
    for (const subscriber of await bench.subscribeAll(1, 'api_pro')) await measureOthers(bench, subscriber);
  },
  reconcile: measureReconcile,
  lists: measureAdminLists,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    events: { type: 'string', default: '2000' },
    customers: { type: 'string', default: '200' },
    rows: { type: 'string', default: '100000' },
    subscriptions: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '5' },
  },
});
const unknown = positionals.filter((name) => !Object.hasOwn(sections, name));
if (unknown.length > 0)
  throw new Error(`no section ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}`);

const bench = await openBillingBench({
  events: Number(values.events),
  customers: Number(values.customers),
  rows: Number(values.rows),
  subscriptions: Number(values.subscriptions),
  rounds: Number(values.rounds),
});
try {
  console.log(describeMachine());
  for (const [name, measure] of Object.entries(sections))
    if (positionals.length === 0 || positionals.includes(name)) {
      const start = performance.now();
      await measure(bench);
      console.log(`${name}: ${Math.round((performance.now() - start) / 1_000)} s`);
    }
} finally {
  await bench.close();
}
