import type { Db } from '@uprez/db/database';
import { migrations } from '@uprez/db/migrate';
import { previousCheckout } from '@uprez/testing/config';
import { fileFixture } from '@uprez/testing/fixtures';
import { getServices, openTestDatabase } from '@uprez/testing/open-test-database';
import type { SpawnedService } from '@uprez/testing/products/spawn-service';
import { startTestProduct } from '@uprez/testing/products/start-test-product';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { countByStatus, signUpUnlimited } from '../chaos.ts';
import { openTraffic, type Traffic } from './open-traffic.ts';
import { watchLocks } from './watch-locks.ts';

/** Starts the previous version on a database with its own schema. */
const product = fileFixture(async () => {
  const database = await openTestDatabase({ empty: true });
  const { redisUrl } = getServices();
  const started = await startTestProduct({ databaseUrl: database.url, redisUrl, checkout: previousCheckout });
  return { ...started, close: () => started.close().then(database.close) };
});

const countCompleted = ({ lines }: SpawnedService) => lines.filter((line) => line.includes('"job completed"')).length;
const listErrors = ({ name, lines }: SpawnedService) =>
  lines.filter((line) => /"level":(50|60)/.test(line)).map((line) => `${name}: ${line}`);

const waitForWork = (traffic: Traffic, count: number) => {
  const target = traffic.state.completed + count;
  return waitUntil(() => traffic.state.completed >= target || traffic.state.errors.length > 0, {
    timeoutMs: 120_000,
    what: `${count} more completed jobs`,
  });
};

const listMigrations = async (db: Db) =>
  (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows.map(
    ({ name }) => name,
  );

async function startThisVersion() {
  const started = await Promise.all((['gateway', 'worker', 'dispatcher'] as const).map((name) => product.spawn(name)));
  await Promise.all(started.map((service) => service.ready()));
  const [gateway, worker] = started as [SpawnedService, SpawnedService];
  return { worker, url: await gateway.publicUrl() };
}

it('migrates while the previous version works, and both versions share a database without an error', async () => {
  const former = [...product.services];
  const formerWorker = former.find(({ name }) => name === 'worker') as SpawnedService;
  const user = await signUpUnlimited(product);
  const traffic = openTraffic(user, product.url);
  await waitForWork(traffic, 3);

  const locks = watchLocks(product.db);
  await product.setUp().finally(locks.stop);
  const longestWaitMs = await locks.stop();
  expect(longestWaitMs).toBeLessThanOrEqual(1_000);
  expect(await listMigrations(product.db)).toEqual(Object.keys(migrations));
  await waitForWork(traffic, 3);

  const { worker, url } = await startThisVersion();
  traffic.state.urls = [product.url, url];
  const before = countCompleted(formerWorker);
  await waitForWork(traffic, 10);
  await waitUntil(() => countCompleted(formerWorker) > before && countCompleted(worker) > 0, {
    timeoutMs: 120_000,
    what: 'completed jobs of both workers',
  });

  // Requests go to the new gateway first, as a load balancer sends them.
  traffic.state.urls = [url];
  await waitForWork(traffic, 6);
  await Promise.all(former.map((service) => service.end('SIGTERM')));
  expect(former.map(({ process }) => process.exitCode)).toEqual(former.map(() => 0));
  await waitForWork(traffic, 3);
  await traffic.stop();

  await product.settle(60_000);
  const { completed, deleted, batches, errors } = traffic.state;
  console.log({ completed, deleted, batches, longestWaitMs: Math.round(longestWaitMs) });
  expect(errors).toEqual([]);
  expect(product.services.flatMap(listErrors)).toEqual([]);
  const counts = await countByStatus(product, user);
  expect([counts.queued, counts.processing, counts.failed]).toEqual([0, 0, 0]);
  expect(batches).toBeGreaterThan(0);
}, 600_000);
