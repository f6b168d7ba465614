import { ApiError } from '@uprez/client/api-error';
import { fileFixture } from '@uprez/testing/fixtures';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it } from 'vitest';
import { balance, countByStatus, openChaos, repeats, submit, submitMany, waitForProcessing } from './chaos.ts';

const chaos = fileFixture(() => openChaos({ ownPostgres: true, env: { WORKER_CONCURRENCY: '2' } }));

const restarts = repeats(2, 5);

/** Lists jobs and uploads images in a loop until stopped. Returns the status of every failed request. */
function sendRequests(stop: AbortSignal) {
  const { user } = chaos;
  const failedStatuses: (number | undefined)[] = [];
  const ask = async (call: () => Promise<unknown>) => {
    while (!stop.aborted)
      await call().catch((error: unknown) => failedStatuses.push(error instanceof ApiError ? error.status : undefined));
  };
  const done = Promise.all([ask(() => user.client.listJobs({})), ask(() => submit(user, { width: 120, height: 90 }))]);
  return { failedStatuses, done };
}

it(`R10: responds only with 503 and loses no job when PostgreSQL restarts ${restarts} times under load`, async () => {
  const { product, user, postgres } = chaos;
  await submitMany(user, 8, { width: 900, height: 700 });
  await waitForProcessing(product, 1);
  const stop = new AbortController();
  const { failedStatuses, done } = sendRequests(stop.signal);
  for (let restart = 0; restart < restarts; restart += 1) {
    const seen = failedStatuses.length;
    await postgres?.restartImmediate();
    await waitUntil(async () => fetch(`${product.url}/readyz`).then((reply) => reply.ok), { what: 'a ready gateway' });
    await waitUntil(
      () =>
        user.client.user().then(
          () => true,
          () => false,
        ),
      { what: 'a successful request' },
    );
    expect(failedStatuses.length).toBeGreaterThanOrEqual(seen);
  }
  stop.abort();
  await done;
  expect(failedStatuses.filter((status) => status !== 503)).toEqual([]);
  expect(product.services.map((service) => service.process.exitCode)).toEqual(product.services.map(() => null));
  await product.settle(120_000);
  const { completed = 0, failed = 0 } = await countByStatus(product);
  expect(failed).toBe(0);
  expect(await balance(product)).toBe(-completed);
}, 300_000);
