import { ApiError } from '@uprez/client/api-error';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  balance,
  type Chaos,
  countByStatus,
  openChaos,
  repeats,
  submit,
  submitMany,
  waitForProcessing,
} from './chaos.ts';

let chaos: Chaos;
beforeAll(async () => {
  chaos = await openChaos({ ownPostgres: true, env: { WORKER_CONCURRENCY: '2' } });
});
afterAll(() => chaos.close());

const restarts = repeats(3, 5);

/** Read jobs and upload images without pause until told to stop; answers every status that was not a success. */
function keepAsking(stop: AbortSignal) {
  const { user } = chaos;
  const refused: (number | undefined)[] = [];
  const ask = async (call: () => Promise<unknown>) => {
    while (!stop.aborted)
      await call().catch((error: unknown) => refused.push(error instanceof ApiError ? error.status : undefined));
  };
  const done = Promise.all([ask(() => user.client.listJobs({})), ask(() => submit(user, { width: 120, height: 90 }))]);
  return { refused, done };
}

test(`PostgreSQL restarted ${restarts} times under load: only 503s, no process ends, nothing is lost`, async () => {
  const { product, user, postgres } = chaos;
  await submitMany(user, 8, { width: 900, height: 700 });
  await waitForProcessing(product, 1);
  const stop = new AbortController();
  const { refused, done } = keepAsking(stop.signal);
  for (let restart = 0; restart < restarts; restart += 1) {
    const seen = refused.length;
    await postgres?.restartImmediate();
    await waitUntil(async () => fetch(`${product.url}/readyz`).then((reply) => reply.ok), {
      timeoutMs: 5_000,
      what: 'ready again',
    });
    await waitUntil(
      () =>
        user.client.user().then(
          () => true,
          () => false,
        ),
      { timeoutMs: 5_000, what: 'answers again' },
    );
    expect(refused.length).toBeGreaterThanOrEqual(seen);
  }
  stop.abort();
  await done;
  expect(refused.filter((status) => status !== 503)).toEqual([]);
  expect(product.services.map((service) => service.process.exitCode)).toEqual(product.services.map(() => null));
  await product.settle(120_000);
  const { completed = 0, failed = 0 } = await countByStatus(product);
  expect(failed).toBe(0);
  expect(await balance(product)).toBe(-completed);
}, 300_000);
