import type { Figures } from '@uprez/testing/bench-report';
import type { TestProduct } from '@uprez/testing/products/start-test-product';
import type { EngineRuns, EngineTime } from '../load/run-engine.ts';
import type { Clients, ClientsTimes } from '../load/send-v1-jobs.ts';
import { runChild } from '../load/start-child.ts';
import { openApiClients } from './open-api-clients.ts';
import { latencyRow } from './print-latencies.ts';

const clients = 20;
const jobs = 500;
const warmUp = 40;
const goalMs = 25;

/**
 * Measures the cost of the public API: jobs of 20 clients that submit and poll, next to the same images in the engine
 * only, half of them before and half after.
 */
export async function measureThroughput(product: TestProduct): Promise<Figures> {
  const { url, db } = product;
  const keys = await openApiClients(product, clients, 'enterprise');
  const send = (jobsEach: number, from: number) =>
    runChild<ClientsTimes>('send-v1-jobs', { url, keys, jobsEach, from } satisfies Clients);
  const { ids } = await send(warmUp / clients, 0);
  const { plan } = await db
    .selectFrom('jobs')
    .select('plan')
    .where('id', '=', ids[0] ?? '')
    .executeTakeFirstOrThrow();
  const half = (from: number) =>
    runChild<EngineTime>('run-engine', { plan, from, count: jobs / 2, warmUp } satisfies EngineRuns);
  const before = await half(10_000);
  const { submitMs, pollMs, seconds } = await send(jobs / clients, 20_000);
  const after = await half(30_000);
  const bareMs = ((before.seconds + after.seconds) * 1_000) / jobs;
  const productMs = (seconds * 1_000) / jobs;
  return {
    [`${jobs} jobs of 256 x 256 pixels, \`standard\` 2x, by ${clients} clients that submit and poll`]: {
      value: jobs / seconds,
      unit: 'jobs/s',
    },
    'submit, p95': { value: latencyRow(submitMs).p95, unit: 'ms' },
    'poll, p95': { value: latencyRow(pollMs).p95, unit: 'ms' },
    'the engine alone, time of a job': { value: bareMs, unit: 'ms' },
    'overhead of a job beside the engine': { value: productMs - bareMs, atMost: goalMs, unit: 'ms' },
  };
}
