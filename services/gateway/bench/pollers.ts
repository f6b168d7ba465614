import { parseArgs } from 'node:util';
import { limits } from '@uprez/contracts/policy/limits';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { compareGoals, percentile, printTable, reportResults } from '@uprez/testing/bench-report';
import { makeJob } from '@uprez/testing/make-job';
import type { SpawnedService } from '@uprez/testing/products/spawn-service';
import type { HeldStreams, Streams } from './load/hold-streams.ts';
import type { Answers } from './load/send-at-rate.ts';
import type { Polls } from './load/send-polls.ts';
import { runChild } from './load/start-child.ts';
import { startGatewayBench } from './support/open-verbs.ts';
import { answersRow } from './support/print-latencies.ts';
import { signUpCookie } from './support/sign-up-cookie.ts';
import { watchMemory } from './support/watch-memory.ts';

/**
 * Measures the latency of clients that poll a job every 2 seconds on separate connections, beside as many event streams, next
 * to /healthz polled in the same way. Load, gateway, and database share the machine. Run by `npm run bench:pollers`;
 * `-- --full` polls jobs for 10 minutes.
 */
const { values } = parseArgs({ options: { full: { type: 'boolean' }, save: { type: 'boolean' } } });
const load = { pollers: 1_000, everyMs: 2_000, warmUpS: 4, seconds: 20 };
const seconds = values.full ? 600 : load.seconds;
const streams = 1_000;
const perCookie = limits.accountStreams;

/** Returns a value of the metrics of a service, such as `nodejs_eventloop_lag_p99_seconds`. */
async function readMetric(service: SpawnedService, name: string): Promise<number> {
  const line = (await service.metrics()).split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}

const { product, verbs, close } = await startGatewayBench();
try {
  const { url, services } = product;
  const [gateway] = services as [SpawnedService];
  const targets: Polls['targets'] = [];
  for (let n = 0; n < streams / perCookie; n += 1) {
    const { client, cookie } = await signUpCookie(url);
    const { id: accountId } = (await client.user()).data;
    const { job } = await makeJob(verbs, { accountId, plan: currentPlans.free });
    targets.push({ url: `${url}/api/jobs/${job.id}`, cookie });
  }
  const poll = (polls: Partial<Polls>) => runChild<Answers>('send-polls', { targets, ...load, ...polls });
  const healthz = answersRow(await poll({ targets: [{ url: `${url}/healthz`, cookie: '' }] }));
  const holding = { url, cookies: targets.map(({ cookie }) => cookie), perCookie, seconds: seconds + 10 };
  let held: HeldStreams | undefined;
  let answers: Answers | undefined;
  await readMetric(gateway, 'nodejs_eventloop_lag_p99_seconds');
  const memory = await watchMemory(gateway.pid, async () => {
    [held, answers] = await Promise.all([
      runChild<HeldStreams>('hold-streams', holding satisfies Streams),
      poll({ seconds }),
    ]);
  });
  const lagS = await readMetric(gateway, 'nodejs_eventloop_lag_p99_seconds');
  const { samples, idle } = memory;
  /** Median of a tenth of the run over the idle memory, MB. */
  const growthFrom = (share: number) =>
    percentile(samples.slice(samples.length * share, samples.length * (share + 0.1))) - idle;
  if (!held || !answers) throw new Error('nothing was measured');
  const title = `Milliseconds; ${load.pollers} pollers, one request each ${load.everyMs / 1_000} s, for ${seconds} s`;
  const row = answersRow(answers);
  printTable(title, { '/healthz': healthz, [`/api/jobs/{id} beside ${held.opened} event streams`]: row });
  if (Object.keys(held.errors).length > 0) console.error(held.errors);
  const figures = {
    [`status of a job, ${load.pollers} pollers beside ${held.opened} event streams for ${seconds} s, p95`]: {
      ...{ value: row.p95, atMost: 200, unit: 'ms' },
    },
    'the same, p99': { value: row.p99, atMost: 500, unit: 'ms' },
    'streams that ended early': { value: held.ended + streams - held.opened, atMost: 0 },
    'event loop, p99': { value: lagS * 1_000, atMost: 50, unit: 'ms' },
    'growth of memory while the connections open': { value: memory.growth, unit: 'MB' },
    'growth of memory at the end': { value: growthFrom(0.9), atMost: 100, unit: 'MB' },
    'growth in the second half': { value: growthFrom(0.9) - growthFrom(0.5), atMost: 10, unit: 'MB' },
  };
  reportResults(values.full ? 'pollers --full' : 'pollers', compareGoals(figures));
} finally {
  await close();
}
