import { randomUUID } from 'node:crypto';
import type { RedisHandle } from '@uprez/local-stack/open-redis';
import { isRedisUnavailable } from '@uprez/queue/open-counter-store';
import { openJobPublisher, openJobSubscriber } from '@uprez/queue/open-job-channel';
import { openConsumer, openQueue, type QueueOptions } from '@uprez/queue/open-queue';
import { openRedisClient } from '@uprez/queue/open-redis-client';
import { openWorkerRegistry } from '@uprez/queue/open-worker-registry';
import { openPrivateRedis } from '@uprez/testing/services/open-embedded';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

let redis: RedisHandle;
let options: QueueOptions;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  redis = await openPrivateRedis();
  options = { url: redis.url, prefix: 'away', onError: () => {} };
});
afterEach(async () => {
  if (!redis.running) await redis.start();
  await Promise.all(closing.splice(0).map((close) => close()));
});
afterAll(() => redis.stop());

const closed = <T extends { close: () => unknown }>(opened: T): T => {
  closing.push(opened.close);
  return opened;
};
const succeeds = (work: () => Promise<unknown>) =>
  waitUntil(() =>
    work().then(
      () => true,
      () => false,
    ),
  );
async function openReadyQueue() {
  const queue = closed(openQueue(options));
  await succeeds(queue.ping);
  return queue;
}
const oneWake = () => [{ jobId: randomUUID(), nextAttempt: 1 }];

test('calls fail quickly or do nothing while Redis is down, and work again when it returns', async () => {
  const queue = await openReadyQueue();
  const publisher = closed(openJobPublisher(options));
  const registry = closed(openWorkerRegistry(options));
  await succeeds(registry.list);
  await redis.kill('SIGKILL');
  await expect(queue.wake(oneWake())).rejects.toThrow();
  await expect(queue.ping()).rejects.toThrow();
  await expect(queue.keepsEpoch()).rejects.toThrow();
  await expect(registry.list()).rejects.toThrow();
  await publisher.publish(randomUUID(), { jobId: randomUUID(), version: 1 });
  const worker = {
    engines: [],
    installing: [],
    customModels: {},
    device: 'cpu',
    networks: [],
    printProfiles: [],
    slots: 1,
    pool: null,
    jail: 'off' as const,
  };
  await registry.announce({ id: 'w', ...worker });
  await registry.withdraw('w');
  await redis.start();
  await succeeds(() => queue.wake(oneWake()));
  await succeeds(registry.list);
});

test('calls fail quickly while Redis hangs, and work again when it responds', async () => {
  const queue = await openReadyQueue();
  const publisher = closed(openJobPublisher(options));
  await queue.wake(oneWake());
  process.kill(redis.pid, 'SIGSTOP');
  try {
    await expect(queue.wake(oneWake())).rejects.toThrow();
    await publisher.publish(randomUUID(), { jobId: randomUUID(), version: 1 });
  } finally {
    process.kill(redis.pid, 'SIGCONT');
  }
  await succeeds(() => queue.wake(oneWake()));
});

/** Returns the error of a write inside a script, as rate limits make it. */
const failedWrite = (client: ReturnType<typeof openRedisClient>, script = "return redis.call('INCR', KEYS[1])") =>
  client.eval(script, 1, 'away:counter').then(
    () => undefined,
    (error: unknown) => error,
  );

test('errors of a Redis that is down, hangs, or refuses writes are told from errors of a command', async () => {
  const client = openRedisClient(options.url, 'command', () => {});
  closed({ close: () => client.disconnect() });
  expect(isRedisUnavailable(await failedWrite(client))).toBe(true);
  await succeeds(() => client.ping());

  expect(isRedisUnavailable(await failedWrite(client, "return redis.call('LPUSH', KEYS[1])"))).toBe(false);
  expect(isRedisUnavailable(new TypeError('Cannot read properties of undefined'))).toBe(false);

  await client.config('SET', 'maxmemory', '1');
  expect(isRedisUnavailable(await failedWrite(client))).toBe(true);
  await client.config('SET', 'maxmemory', '0');
  await client.replicaof('127.0.0.1', '1');
  expect(isRedisUnavailable(await failedWrite(client))).toBe(true);
  await client.replicaof('NO', 'ONE');
  expect(await failedWrite(client)).toBeUndefined();

  process.kill(redis.pid, 'SIGSTOP');
  const hung = failedWrite(client);
  expect(isRedisUnavailable(await hung.finally(() => process.kill(redis.pid, 'SIGCONT')))).toBe(true);
  await succeeds(() => client.ping());
  const lost = failedWrite(client, 'while true do end');
  await redis.kill('SIGKILL');
  expect(isRedisUnavailable(await lost)).toBe(true);
  expect(isRedisUnavailable(await failedWrite(client))).toBe(true);
});

test('checking the settings of Redis costs one command', async () => {
  const queue = await openReadyQueue();
  const client = openRedisClient(options.url, 'command', () => {});
  closed({ close: () => client.disconnect() });
  await succeeds(() => client.ping());
  const countReads = async () => Number(/^cmdstat_info:calls=(\d+)/m.exec(await client.info('commandstats'))?.[1] ?? 0);
  await countReads();
  const before = await countReads();
  await queue.checkSettings();
  // The count itself is one, too.
  expect((await countReads()) - before).toBe(2);
});

test('a service that starts before Redis connects later', async () => {
  await redis.kill('SIGKILL');
  const queue = closed(openQueue(options));
  const got: string[] = [];
  closed(openConsumer({ ...options, concurrency: 1, handle: async ({ jobId }) => void got.push(jobId) }));
  await expect(queue.wake(oneWake())).rejects.toThrow();
  await redis.start();
  const [wake] = oneWake();
  if (!wake) throw new Error('one wake-up');
  await succeeds(() => queue.wake([wake]));
  await waitUntil(() => got.includes(wake.jobId));
});

test('consumers and subscribers resume after Redis returns', async () => {
  const queue = await openReadyQueue();
  const publisher = closed(openJobPublisher(options));
  const subscriber = closed(openJobSubscriber(options));
  const accountId = randomUUID();
  const got: string[] = [];
  let heard = 0;
  let gaps = 0;
  closed(openConsumer({ ...options, concurrency: 1, handle: async ({ jobId }) => void got.push(jobId) }));
  subscriber.subscribe(
    accountId,
    () => {
      heard += 1;
    },
    () => {
      gaps += 1;
    },
  );
  const publishUntilHeard = () =>
    waitUntil(async () => {
      await publisher.publish(accountId, { jobId: randomUUID(), version: 1 });
      return heard > 0;
    });
  await publishUntilHeard();
  await redis.kill('SIGKILL');
  const whileAway = randomUUID();
  let heardLater = 0;
  subscriber.subscribe(whileAway, () => {
    heardLater += 1;
  });
  const before = gaps;
  await redis.start();
  const jobId = randomUUID();
  await succeeds(() => queue.wake([{ jobId, nextAttempt: 1 }]));
  await waitUntil(() => got.includes(jobId));
  heard = 0;
  await publishUntilHeard();
  await waitUntil(async () => {
    await publisher.publish(whileAway, { jobId: randomUUID(), version: 1 });
    return heardLater > 0;
  });
  // The second time, publishers have returned, too.
  await waitUntil(() => gaps >= before + 2, { what: 'both reports of the gap' });
});

test('an empty Redis after a data loss is detected', async () => {
  const queue = await openReadyQueue();
  await queue.keepsEpoch();
  expect(await queue.keepsEpoch()).toBe(true);
  await redis.kill('SIGKILL');
  await redis.empty();
  await redis.start();
  await succeeds(queue.ping);
  expect(await queue.keepsEpoch()).toBe(false);
});

test('everything closes quickly while Redis is down', async () => {
  const queue = await openReadyQueue();
  await queue.wake(oneWake());
  let handled = 0;
  const consumer = openConsumer({
    ...options,
    concurrency: 1,
    handle: async () => {
      handled += 1;
    },
  });
  await waitUntil(() => handled > 0);
  const opened = { queue, consumer, publisher: openJobPublisher(options), registry: openWorkerRegistry(options) };
  await redis.kill('SIGKILL');
  for (const { close } of Object.values(opened)) await close();
});
