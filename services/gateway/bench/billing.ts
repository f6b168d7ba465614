import { parseArgs } from 'node:util';
import { chooseSections, compareGoals, type Figures, reportResults } from '@uprez/testing/bench-report';
import { measureEvents, measureSync } from './billing/measure-events.ts';
import { measureOthers } from './billing/measure-others.ts';
import { measureAdminLists, measureBillingPage } from './billing/measure-reads.ts';
import { measureReconcile } from './billing/measure-reconcile.ts';
import { type BillingBench, openBillingBench } from './billing/open-billing-bench.ts';

/**
 * Measures what billing costs: Stripe events, the sync, pages, admin lists, the comparison with Stripe, and the
 * effect on other requests. Run by `npm run bench:billing -- [section...] [--save]`. A Stripe double in this process shares the machine.
 */
const sections: Record<string, (bench: BillingBench) => Promise<Figures>> = {
  events: async (bench) => measureEvents(bench, await bench.customers()),
  sync: async (bench) => measureSync(bench, await bench.customers()),
  page: async (bench) => measureBillingPage(bench, await bench.subscribeOne('pro')),
  others: async (bench) => measureOthers(bench, await bench.subscribeOne('api_pro')),
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
    save: { type: 'boolean' },
  },
});
const chosen = chooseSections(sections, positionals);

const bench = await openBillingBench({
  events: Number(values.events),
  customers: Number(values.customers),
  rows: Number(values.rows),
  subscriptions: Number(values.subscriptions),
  rounds: Number(values.rounds),
});
try {
  const figures: Figures = {};
  for (const measure of chosen) Object.assign(figures, await measure(bench));
  reportResults(['billing', ...positionals].join(' '), compareGoals(figures));
} finally {
  await bench.close();
}
