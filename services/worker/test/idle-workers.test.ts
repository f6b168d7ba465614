import { fileFixture } from '@uprez/testing/fixtures';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it } from 'vitest';
import { childrenOf, hasFileOfAttempt, jobRow, openChaos, startWorker, submit, waitForStatus } from './chaos.ts';

// Without a dispatcher, nothing repeats a message that a busy worker took.
const chaos = fileFixture(() => openChaos({ services: ['gateway'] }));

it('a worker that claimed a job at its start leaves the messages of others to idle workers', async () => {
  const { product, user } = chaos;
  const held = await submit(user, { width: 3_000, height: 2_000 });
  const busy = await startWorker(product, { WORKER_CONCURRENCY: '1', LEASE_S: '60' });
  const child = await waitUntil(async () => {
    const row = await jobRow(product, held);
    return childrenOf(busy.pid).find((pid) => hasFileOfAttempt(pid, row));
  });
  process.kill(child, 'SIGSTOP');
  await startWorker(product, { WORKER_CONCURRENCY: '1' });
  for (let job = 0; job < 8; job += 1) {
    const id = await submit(user, { width: 60, height: 40 });
    await waitForStatus(product, id, 'completed');
  }
  expect(await jobRow(product, held)).toMatchObject({ status: 'processing', attempt: 1 });
  process.kill(child, 'SIGCONT');
  await waitForStatus(product, held, 'completed');
});
