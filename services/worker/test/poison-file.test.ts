import { execFileSync } from 'node:child_process';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { balance, type Chaos, jobRow, openChaos, repeats, serviceOf, submit, submitMany } from './chaos.ts';

let chaos: Chaos;
beforeAll(async () => {
  // One slot: the child that dies is the one that works on the poison.
  chaos = await openChaos({ env: { WORKER_CONCURRENCY: '1' } });
});
afterAll(() => chaos.close());

const good = repeats(20, 100);

/** Pixel children of a worker by pid. */
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

/** Make one job deadly: whenever it is worked on, the children of the worker die. Answers how often. */
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

test(`an image that kills its child fails after 3 attempts, gives its unit back, and ${good} others succeed`, async () => {
  const { product, user } = chaos;
  const deadly = await submit(user, { width: 3_000, height: 2_000, fields: { scaleFactor: '4' } });
  const [deaths, others] = await Promise.all([poison(deadly), submitMany(user, good, { width: 200, height: 150 })]);
  expect(deaths).toBeLessThanOrEqual(3);
  const job = await jobRow(product, deadly);
  expect(job).toMatchObject({ status: 'failed', errorCode: 'processing_crashed', failures: 3 });
  await product.settle(90_000);
  const rows = await Promise.all(others.map((id) => jobRow(product, id)));
  expect(rows.map((row) => row.status)).toEqual(others.map(() => 'completed'));
  expect(await balance(product)).toBe(-good);
}, 300_000);

test('the call that waited for a job answers the failure and its code', async () => {
  const { product, user } = chaos;
  const id = (await user.client.listJobs({ query: { status: 'failed' } })).data[0]?.id ?? '';
  const { data } = await user.client.getJob({ params: { id } });
  expect(data.error?.code).toBe('processing_crashed');
  expect(data.error?.message).toMatch(/You weren't charged/);
  expect(product.services.filter((service) => service.process.exitCode !== null)).toHaveLength(0);
});
