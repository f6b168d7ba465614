import { findFakeTime, openFakeClock } from '@uprez/testing/fake-clock';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { describe, expect, it } from 'vitest';
import {
  balance,
  openChaos,
  repeats,
  signUpUnlimited,
  startWorker,
  submit,
  submitMany,
  waitForProcessing,
} from './chaos.ts';

const library = findFakeTime();
const jumpS = 300;
const jobs = repeats(4, 100);

describe.skipIf(!library)('R17: a clock', () => {
  const chaos = fileFixture(() => openChaos({ services: ['gateway', 'dispatcher'] }));
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

  it(
    `of a worker that jumps by 5 minutes, forward and back, runs each of ${jobs} jobs once`,
    async () => {
      const { product } = chaos;
      clock.set(0);
      const worker = await startWorker(product, clock.env);
      // Longer than the lease, so that it must be renewed.
      await submitMany(user, jobs, { width: 3_000, height: 2_000 });
      for (const offsetS of [jumpS, -jumpS]) {
        await waitForProcessing(product, 1);
        clock.set(offsetS);
      }
      await product.settle(repeats(120_000, 1_200_000));
      await expectRunOnce(jobs);
      expect(await worker.metrics()).toMatch(
        new RegExp(`^job_duration_seconds_count\\{.*outcome="completed"\\} ${jobs}$`, 'm'),
      );
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
