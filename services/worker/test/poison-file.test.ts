import { execFileSync } from 'node:child_process';
import { fileFixture } from '@uprez/testing/fixtures';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it } from 'vitest';
import { balance, jobRow, openChaos, repeats, serviceOf, submit, submitMany } from './chaos.ts';

// With one slot, the child that is killed is the one that runs the poisoned job.
const chaos = fileFixture(() => openChaos({ env: { WORKER_CONCURRENCY: '1' } }));

const good = repeats(20, 100);

/** Process IDs of a worker's children. */
function childrenOf(pid: number): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}

/** Kill the children of the worker whenever they run this job. Returns the number of kills. */
async function poison(id: string): Promise<number> {
  let attempt = 0;
  for (;;) {
    const job = await waitUntil(
      async () => {
        const row = await jobRow(chaos.product, id);
        return (
          (row.status === 'failed' ||
            row.status === 'completed' ||
            (row.status === 'processing' && row.attempt > attempt)) &&
          row
        );
      },
      { timeoutMs: 120_000 },
    );
    if (job.status !== 'processing') return attempt;
    attempt = job.attempt;
    for (const child of childrenOf(serviceOf(chaos.product, 'worker').pid)) process.kill(child, 'SIGKILL');
  }
}

it(`fails a job that kills its child after 3 attempts, releases its credit, and completes ${good} others`, async () => {
  const { product, user } = chaos;
  const poisoned = await submit(user, { width: 3_000, height: 2_000, fields: { scaleFactor: '4' } });
  const [kills, others] = await Promise.all([poison(poisoned), submitMany(user, good, { width: 200, height: 150 })]);
  expect(kills).toBeLessThanOrEqual(3);
  const job = await jobRow(product, poisoned);
  expect(job).toMatchObject({ status: 'failed', errorCode: 'processing_crashed', failures: 3 });
  await product.settle(90_000);
  const rows = await Promise.all(others.map((id) => jobRow(product, id)));
  expect(rows.map((row) => row.status)).toEqual(others.map(() => 'completed'));
  expect(await balance(product)).toBe(-good);
}, 300_000);

it('returns the error code of a failed job', async () => {
  const { product, user } = chaos;
  const id = (await user.client.listJobs({ query: { status: 'failed' } })).data[0]?.id ?? '';
  const { data } = await user.client.getJob({ params: { id } });
  expect(data.error?.code).toBe('processing_crashed');
  expect(data.error?.message).toMatch(/You weren't charged/);
  expect(product.services.filter((service) => service.process.exitCode !== null)).toHaveLength(0);
});
