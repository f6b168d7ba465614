import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import {
  balance,
  countByStatus,
  openChaos,
  randomMoment,
  repeats,
  serviceOf,
  submitMany,
  waitForProcessing,
} from './chaos.ts';

const chaos = fileFixture(() => openChaos({ env: { WORKER_CONCURRENCY: '4' } }));

const kills = repeats(10, 200);

it(`loses no job and charges none twice when the worker is killed ${kills} times`, async () => {
  const { product, user } = chaos;
  let submitted = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const { queued = 0, processing = 0 } = await countByStatus(product);
    const missing = Math.max(0, 6 - queued - processing);
    await submitMany(user, missing, { width: 900, height: 600 });
    submitted += missing;
    await waitForProcessing(product, Math.min(4, missing + queued + processing));
    await randomMoment(700);
    await serviceOf(product, 'worker').end('SIGKILL');
    await (await product.spawn('worker')).ready();
  }
  const report = await product.settle(60_000);
  const { completed = 0, failed = 0 } = await countByStatus(product);
  expect(report.jobs).toBe(submitted);
  expect(completed + failed).toBe(submitted);
  expect(completed).toBeGreaterThan(0);
  expect(await balance(product)).toBe(-completed);
}, 600_000);
