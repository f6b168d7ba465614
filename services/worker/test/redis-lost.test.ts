import { fileFixture } from '@uprez/testing/fixtures';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it } from 'vitest';
import {
  balance,
  countByStatus,
  openChaos,
  repeats,
  serviceOf,
  submit,
  submitMany,
  waitForProcessing,
} from './chaos.ts';

const chaos = fileFixture(() => openChaos({ ownRedis: true, env: { WORKER_CONCURRENCY: '2' } }));

const queued = repeats(8, 500);

it(
  `accepts uploads while Redis is down and completes ${queued} queued jobs after it returns`,
  async () => {
    const { product, user, redis } = chaos;
    await submitMany(user, queued, { width: 500, height: 400 });
    await waitForProcessing(product, 1);
    await redis?.kill('SIGKILL');
    await submit(user, { width: 100, height: 80 });
    const ready = await fetch(`${product.url}/readyz`);
    expect(ready.status).toBe(200);
    expect((await ready.json()).checks.redis).toBe('down');
    expect(await serviceOf(product, 'gateway').metrics()).toContain('readiness_check{check="redis"} 0\n');
    await redis?.start();
    await product.settle(repeats(120_000, 1_800_000));
    expect((await countByStatus(product)).completed).toBe(queued + 1);
    expect(await balance(product)).toBe(-queued - 1);
  },
  repeats(300_000, 2_400_000),
);

it('completes queued jobs after Redis lost its data', async () => {
  const { product, user, redis } = chaos;
  const before = (await countByStatus(product)).completed ?? 0;
  await submitMany(user, 5, { width: 900, height: 700 });
  await waitForProcessing(product, 1);
  await redis?.empty();
  await product.settle(60_000);
  expect((await countByStatus(product)).completed).toBe(before + 5);
});

it('publishes job updates again after Redis returns', async () => {
  const { product, user } = chaos;
  await waitUntil(
    async () => (await fetch(`${product.url}/readyz`).then((reply) => reply.json())).checks.redis === 'ok',
  );
  const id = await submit(user, { width: 100, height: 80 });
  await waitUntil(async () => (await user.client.getJob({ params: { id } })).data.status === 'completed');
});
