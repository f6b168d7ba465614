import os from 'node:os';
import { parseArgs } from 'node:util';
import { chooseSections, compareGoals, type Figures, reportResults } from '@uprez/testing/bench-report';
import { startBenchProduct } from '@uprez/testing/products/start-test-product';
import { measureBacklog } from './support/api-backlog.ts';
import { measureOneCall } from './support/api-one-call.ts';
import { measureThroughput } from './support/api-throughput.ts';
import { measureWaiting } from './support/api-waiting.ts';

/**
 * Measures the public API under load, with clients, gateway, worker, and servers on one machine. Sections: `throughput`,
 * `backlog`, `one-call`, and `waiting`. Run by `npm run bench:api -- [section...] [--save]`.
 */
const sections = {
  throughput: measureThroughput,
  backlog: measureBacklog,
  'one-call': measureOneCall,
  waiting: measureWaiting,
};
const { positionals } = parseArgs({ allowPositionals: true, options: { save: { type: 'boolean' } } });
const chosen = chooseSections(sections, positionals);
/** Prints the load of the machine. This bench alone causes about 3. */
const printLoad = () => console.log(`load of the last minute: ${os.loadavg()[0]?.toFixed(1)}`);

const product = await startBenchProduct({
  services: ['gateway', 'worker'],
  env: { RATE_LIMIT_SCALE: '1000000', LEASE_S: '30' },
});
try {
  printLoad();
  const figures: Figures = {};
  for (const measure of chosen) Object.assign(figures, await measure(product));
  printLoad();
  reportResults(['api', ...positionals].join(' '), compareGoals(figures));
} finally {
  await product.close();
}
