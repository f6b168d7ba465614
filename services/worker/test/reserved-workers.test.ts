import type { PoolFallback } from '@uprez/contracts/policy/admin/worker-pools';
import { afterSeconds } from '@uprez/db/times';
import type { SignedIn } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { beforeEach, expect, it } from 'vitest';
import {
  countByStatus,
  openWorkerFixtures,
  serviceOf,
  signUpUnlimited,
  startWorker,
  submit,
  submitMany,
  waitForStatus,
} from './chaos.ts';

const { chaos, user: member } = openWorkerFixtures();

beforeEach(async () => {
  const { db } = chaos.product;
  await db.deleteFrom('jobs').execute();
  await db.deleteFrom('workers').execute();
  await db.deleteFrom('pools').execute();
});

async function assign(user: SignedIn, fallback: PoolFallback): Promise<void> {
  const { db } = chaos.product;
  await db.insertInto('pools').values({ name: 'gold', fallback }).execute();
  await db.insertInto('accountPools').values({ accountId: user.user.id, pool: 'gold' }).execute();
}

const waitForCompleted = (user: SignedIn, count: number) =>
  waitUntil(async () => (await countByStatus(chaos.product, user)).completed === count, {
    timeoutMs: 90_000,
    what: `${count} completed jobs`,
  });

/** Waits until a worker asked for a job after this call and got none. */
async function waitForIdleClaim(worker: Awaited<ReturnType<typeof startWorker>>): Promise<void> {
  const count = async () =>
    Number(/job_claim_duration_seconds_count{claimed="false"} (\d+)/.exec(await worker.metrics())?.[1] ?? 0);
  const before = await count();
  await waitUntil(async () => (await count()) > before, { what: 'a claim without a job' });
}

it('reserves a worker for its pool while jobs of others wait, and wakes it', async () => {
  const { product } = chaos;
  await assign(member, 'outage');
  const other = await signUpUnlimited(product);
  await submitMany(other, 8);
  const reserved = await startWorker(product, { WORKER_POOL: 'gold' });
  const signed = product.db.selectFrom('pools').select('lastSignAt');
  await waitUntil(async () => (await signed.executeTakeFirst())?.lastSignAt !== null, { what: 'the sign of the pool' });
  await submitMany(member, 4);
  await waitForCompleted(member, 4);
  expect(await countByStatus(product, other)).toMatchObject({ queued: 8, processing: 0, completed: 0 });
  expect(await reserved.metrics()).toContain('job_queue_wait_seconds_count{pool="gold"} 4');

  const dispatcher = await serviceOf(product, 'dispatcher').metrics();
  expect(dispatcher).toContain('worker_load{pool="shared",state="waiting"} 8');
  expect(dispatcher).toContain('worker_load{pool="gold",state="waiting"} 0');
  expect(dispatcher).toContain('worker_slots{pool="gold"} 1');

  // Shared workers leave the pool alone while it has a worker, and do the others' work.
  await reserved.end('SIGKILL');
  const waiting = await submit(member);
  const shared = await startWorker(product);
  await waitForCompleted(other, 8);
  await submit(other);
  await waitForIdleClaim(shared);
  expect((await countByStatus(product, member)).queued).toBe(1);

  // Its worker is gone for long: shared ones take over. The dispatcher wakes them.
  await product.db
    .updateTable('pools')
    .set({ lastSignAt: afterSeconds(-301) })
    .execute();
  await product.db
    .updateTable('jobs')
    .set({ enqueuedAt: afterSeconds(-3_600) })
    .where('id', '=', waiting)
    .execute();
  await waitForStatus(product, waiting, 'completed');
}, 240_000);

it('keeps the jobs of an exclusive pool until a worker of it starts, also without Redis messages', async () => {
  const { product } = chaos;
  await assign(member, 'never');
  const job = await submit(member);
  const shared = await startWorker(product);
  await submit(await signUpUnlimited(product));
  await waitForIdleClaim(shared);
  expect((await countByStatus(product, member)).queued).toBe(1);
  await startWorker(product, { WORKER_POOL: 'gold' });
  await waitForStatus(product, job, 'completed');
});
