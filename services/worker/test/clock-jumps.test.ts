import { findFakeTime, openFakeClock } from '@uprez/testing/fake-clock';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import type { SpawnedService } from '@uprez/testing/products/spawn-service';
import { waitUntil } from '@uprez/testing/wait-until';
import { describe, expect, it } from 'vitest';
import {
  balance,
  childrenOf,
  openChaos,
  readMetric,
  repeats,
  signUpUnlimited,
  startWorker,
  submit,
  waitForStatus,
} from './chaos.ts';

const library = findFakeTime();
const jumpS = 300;
const jobs = repeats(1, 50);
const leaseMs = 2_000;

describe.skipIf(!library)('R17: a clock', () => {
  const chaos = fileFixture(() =>
    openChaos({ services: ['gateway', 'dispatcher'], env: { LEASE_S: String(leaseMs / 1_000) } }),
  );
  const clock = fileFixture(() => openFakeClock(library ?? ''));
  const user = testFixture(() => signUpUnlimited(chaos.product));

  /** Returns the jobs of the user, which each ran once. */
  async function expectRunOnce(count: number): Promise<void> {
    const rows = await chaos.product.db
      .selectFrom('jobs')
      .select(['status', 'attempt', 'failures'])
      .where('accountId', '=', user.user.id)
      .execute();
    expect(rows).toEqual(Array(count).fill({ status: 'completed', attempt: 1, failures: 0 }));
    expect(await balance(chaos.product, user)).toBe(-count);
  }

  const leaseEnd = async (jobId: string) =>
    (await chaos.product.db.selectFrom('jobLeases').select('leaseUntil').where('jobId', '=', jobId).executeTakeFirst())
      ?.leaseUntil ?? new Date(0);

  /** Expects a service to report how far its clock is off. */
  const expectOffset = async (service: SpawnedService, offsetS: number) =>
    expect(Math.abs((await readMetric(service, 'clock_offset_seconds')) - offsetS)).toBeLessThan(5);

  /** Waits until the worker has renewed the lease of a job for longer than a whole lease. */
  async function waitForRenewals(jobId: string): Promise<void> {
    const wanted = (await leaseEnd(jobId)).getTime() + leaseMs;
    await waitUntil(async () => (await leaseEnd(jobId)).getTime() > wanted, { what: 'renewals of the lease' });
  }

  it(
    `of a worker that jumps by 5 minutes, forward and back, runs each of ${jobs} jobs once`,
    async () => {
      const { product } = chaos;
      clock.set(0);
      const worker = await startWorker(product, clock.env);
      for (let done = 0; done < jobs; done += 1) {
        const id = await submit(user, { width: 1_600, height: 1_200 });
        await waitForStatus(product, id, 'processing');
        // Without progress, only the clock decides when the lease is renewed.
        for (const child of childrenOf(worker.pid)) process.kill(child, 'SIGSTOP');
        for (const offsetS of [jumpS, -jumpS]) {
          clock.set(offsetS);
          await waitForRenewals(id);
          await expectOffset(worker, offsetS);
        }
        for (const child of childrenOf(worker.pid)) process.kill(child, 'SIGCONT');
        await waitForStatus(product, id, 'completed');
      }
      await product.settle(60_000);
      await expectRunOnce(jobs);
      await worker.end('SIGTERM');
      expect(worker.process.exitCode).toBe(0);
    },
    repeats(240_000, 1_800_000),
  );

  it.each([jumpS, -jumpS])(
    'of a gateway and a dispatcher that is off by %i s expires nothing early',
    async (offsetS) => {
      const { product } = chaos;
      clock.set(offsetS);
      const [gateway, dispatcher] = [
        await product.spawn('gateway', clock.env),
        await product.spawn('dispatcher', clock.env),
      ];
      await Promise.all([gateway.ready(), dispatcher.ready()]);
      const worker = await startWorker(product);
      for (const service of [gateway, dispatcher]) await expectOffset(service, offsetS);
      await expectOffset(worker, 0);
      const url = await gateway.publicUrl();
      const there = await signUpUnlimited({ ...product, url });
      const id = await submit(there, { width: 200, height: 150 });
      await product.settle(60_000);
      const { data: job } = await there.client.getJob({ params: { id } });
      expect(job.status).toBe('completed');
      // The session and the link of one gateway are valid on the other, whose clock is right.
      expect((await there.fetch(`${product.url}/api/user`)).status).toBe(200);
      for (const base of [url, product.url]) expect((await there.fetch(`${base}${job.downloadUrl}`)).status).toBe(200);
      await Promise.all([gateway, dispatcher, worker].map((service) => service.end('SIGTERM')));
      expect([gateway, dispatcher, worker].map((service) => service.process.exitCode)).toEqual([0, 0, 0]);
    },
    240_000,
  );
});
