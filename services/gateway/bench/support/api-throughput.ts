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
export async function measureThroughput(product: TestProduct): Promise<void> {
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
  console.log(`${jobs} jobs of 256 x 256 pixels, standard x2, by ${clients} clients who submit and poll`);
  console.table({ 'POST /v1/process, ms': latencyRow(submitMs), 'GET /v1/jobs/{id}, ms': latencyRow(pollMs) });
  console.log(`jobs/s ${(jobs / seconds).toFixed(1)}, polls for a job ${(pollMs.length / jobs).toFixed(1)}`);
  console.log(
    `milliseconds for a job: ${productMs.toFixed(1)}, the engine alone ${bareMs.toFixed(1)} (${before.seconds.toFixed(1)} s and ${after.seconds.toFixed(1)} s for the halves); the rest ${(productMs - bareMs).toFixed(1)}, goal <= ${goalMs}`,
  );
}
