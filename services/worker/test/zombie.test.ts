import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import { balance, jobRow, openChaos, repeats, submit, waitForStatus } from './chaos.ts';

const chaos = fileFixture(() => openChaos({ services: ['gateway', 'dispatcher'] }));

const runs = repeats(3, 50);

it(`ignores the result of a worker that resumes after its lease expired (${runs} times)`, async () => {
  const { product, user } = chaos;
  for (let run = 1; run <= runs; run += 1) {
    const zombie = await product.spawn('worker');
    await zombie.ready();
    const id = await submit(user, { width: 2_400, height: 1_600 });
    await waitForStatus(product, id, 'processing');
    process.kill(zombie.pid, 'SIGSTOP');
    const second = await product.spawn('worker');
    await second.ready();
    await waitForStatus(product, id, 'completed');
    const delivered = await jobRow(product, id);
    process.kill(zombie.pid, 'SIGCONT');
    // SIGTERM lets the zombie finish its remaining work.
    await zombie.end('SIGTERM');
    await second.end('SIGTERM');
    await product.settle(30_000);
    const { status, attempt, version, resultId } = delivered;
    expect(attempt).toBeGreaterThan(1);
    expect(await jobRow(product, id)).toMatchObject({ status, attempt, version, resultId });
    expect(await balance(product)).toBe(-run);
  }
}, 600_000);
