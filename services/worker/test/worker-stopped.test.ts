import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import { countByStatus, openChaos, serviceOf, submitMany, waitForProcessing } from './chaos.ts';

const chaos = fileFixture(() => openChaos({ env: { WORKER_CONCURRENCY: '2', DRAIN_S: '1' } }));

it('completes running jobs or returns them to the queue on SIGTERM, without counting a failure', async () => {
  const { product, user } = chaos;
  await submitMany(user, 6, { width: 1_600, height: 1_200 });
  await waitForProcessing(product, 2);
  const worker = serviceOf(product, 'worker');
  await worker.end('SIGTERM');
  expect(worker.process.exitCode).toBe(0);
  const { processing } = await countByStatus(product);
  expect(processing).toBe(0);
  await (await product.spawn('worker')).ready();
  await product.settle(60_000);
  const rows = await product.db.selectFrom('jobs').select(['status', 'failures']).execute();
  expect(rows).toEqual(rows.map(() => ({ status: 'completed', failures: 0 })));
}, 180_000);

it('keeps jobs queued without a worker and loses none without a dispatcher', async () => {
  const { product, user } = chaos;
  await serviceOf(product, 'dispatcher').end('SIGKILL');
  await submitMany(user, 4, { width: 1_200, height: 900 });
  await waitForProcessing(product, 1);
  await serviceOf(product, 'worker').end('SIGKILL');
  const second = await product.spawn('worker');
  await second.ready();
  // Only a dispatcher expires the leases of the killed worker.
  await (await product.spawn('dispatcher')).ready();
  await product.settle(60_000);
  expect((await countByStatus(product)).completed).toBe(10);
}, 180_000);
