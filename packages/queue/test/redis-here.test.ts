import { randomUUID } from 'node:crypto';
import { openCounterStore } from '@uprez/queue/open-counter-store';
import { openJobPublisher, openJobSubscriber } from '@uprez/queue/open-job-channel';
import { openConsumer, openQueue, type QueueOptions } from '@uprez/queue/open-queue';
import { openWorkerRegistry } from '@uprez/queue/open-worker-registry';
import { makeRedisOptions, openRedisProbe, type RedisProbe } from '@uprez/testing/redis';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';

let options: QueueOptions;
let probe: RedisProbe;
let errors: Error[];
const closing: (() => unknown)[] = [];

beforeEach(() => {
  errors = [];
  options = makeRedisOptions((error) => errors.push(error));
  probe = openRedisProbe(options);
});
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
  await probe.empty();
  probe.close();
});
afterAll(() => expect(closing).toEqual([]));

/** Closes it at the end of the test. */
const closed = <T extends { close: () => unknown }>(opened: T): T => {
  closing.push(opened.close);
  return opened;
};
async function openReadyQueue() {
  const queue = closed(openQueue(options));
  await waitUntil(() =>
    queue.ping().then(
      () => true,
      () => false,
    ),
  );
  return queue;
}
const deferred = () => {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};

test('a consumer receives a message once', async () => {
  const queue = await openReadyQueue();
  const jobId = randomUUID();
  const got: string[] = [];
  closed(openConsumer({ ...options, concurrency: 2, handle: async (wake) => void got.push(wake.jobId) }));
  await queue.wake([{ jobId, nextAttempt: 1 }]);
  await waitUntil(() => got.length > 0);
  const marker = randomUUID();
  await queue.wake([{ jobId: marker, nextAttempt: 1 }]);
  await waitUntil(() => got.includes(marker));
  expect(got).toEqual([jobId, marker]);
  expect(errors).toEqual([]);
});

test('adding a waiting or running message changes nothing, and adding it afterward creates a new one', async () => {
  const queue = await openReadyQueue();
  const wake = { jobId: randomUUID(), nextAttempt: 1 };
  await queue.wake([wake, wake]);
  await queue.wake([wake]);
  expect(await probe.waiting()).toEqual([`${wake.jobId}-1`]);
  const gate = deferred();
  let handled = 0;
  closed(
    openConsumer({
      ...options,
      concurrency: 1,
      handle: async () => {
        handled += 1;
        await gate.promise;
      },
    }),
  );
  await waitUntil(() => handled === 1);
  await queue.wake([wake]);
  expect(await probe.waiting()).toEqual([]);
  gate.resolve();
  await waitUntil(async () => (await probe.client.exists(`${options.prefix}:image:${wake.jobId}-1`)) === 0);
  await queue.wake([wake]);
  await waitUntil(() => handled === 2);
});

test('each attempt of a job has a separate message, and one with a delay waits', async () => {
  const queue = await openReadyQueue();
  const jobId = randomUUID();
  await queue.wake([
    { jobId, nextAttempt: 1 },
    { jobId, nextAttempt: 2, delayMs: 60_000.5 },
  ]);
  expect(await probe.waiting()).toEqual([`${jobId}-1`]);
  expect(await probe.delayed()).toEqual([`${jobId}-2`]);
});

test('a message contains only an ID, in less than a kilobyte', async () => {
  const queue = await openReadyQueue();
  const jobId = randomUUID();
  await queue.wake([{ jobId, nextAttempt: 1 }]);
  const stored = await probe.client.hgetall(`${options.prefix}:image:${jobId}-1`);
  expect(JSON.parse(stored.data ?? '')).toEqual({ jobId });
  expect(JSON.stringify(stored).length).toBeLessThan(1_024);
});

test('a failed handler is reported, and its message is deleted without a retry', async () => {
  const queue = await openReadyQueue();
  let handled = 0;
  closed(
    openConsumer({
      ...options,
      concurrency: 1,
      handle: async () => {
        handled += 1;
        throw new Error('broken handler');
      },
    }),
  );
  const jobId = randomUUID();
  await queue.wake([{ jobId, nextAttempt: 1 }]);
  await waitUntil(() => errors.length > 0);
  expect(errors[0]?.message).toBe('broken handler');
  await waitUntil(async () => (await probe.client.exists(`${options.prefix}:image:${jobId}-1`)) === 0);
  expect(handled).toBe(1);
});

test('a consumer leaves messages to another one while it can handle none', async () => {
  const queue = await openReadyQueue();
  const got: string[] = [];
  let isAble = true;
  let offers = 0;
  const canHandle = () => {
    offers += 1;
    return isAble;
  };
  const busy = openConsumer({ ...options, concurrency: 1, canHandle, handle: async () => void got.push('busy') });
  closed(busy);
  const wake = async () => {
    const jobId = randomUUID();
    await queue.wake([{ jobId, nextAttempt: 1 }]);
    return jobId;
  };
  await wake();
  await waitUntil(async () => got.length === 1 && (await probe.blocked()) === 1);
  isAble = false;
  busy.setConcurrency(0);
  // It is waiting for a message, which it then puts back.
  const first = await wake();
  await waitUntil(async () => offers === 2 && (await probe.waiting()).length === 1);
  const handle = async ({ jobId }: { jobId: string }) => void got.push(jobId);
  closed(openConsumer({ ...options, concurrency: 1, handle }));
  const second = await wake();
  await waitUntil(() => got.length === 3);
  expect(got).toEqual(['busy', first, second]);
  expect(errors).toEqual([]);
});

test('a consumer without concurrency takes messages as soon as it has some, and again after a pause', async () => {
  const queue = await openReadyQueue();
  const got: string[] = [];
  const handle = async ({ jobId }: { jobId: string }) => void got.push(jobId);
  const consumer = openConsumer({ ...options, concurrency: 0, handle });
  closed(consumer);
  const ids = [randomUUID(), randomUUID(), randomUUID()];
  await queue.wake(ids.slice(0, 2).map((jobId) => ({ jobId, nextAttempt: 1 })));
  expect(await probe.waiting()).toHaveLength(2);
  consumer.setConcurrency(0);
  consumer.setConcurrency(2);
  await waitUntil(() => got.length === 2);
  for (const count of [0, 1, 0, 2]) consumer.setConcurrency(count);
  await queue.wake([{ jobId: ids[2] ?? '', nextAttempt: 1 }]);
  await waitUntil(() => got.length === 3);
  expect(got.toSorted()).toEqual(ids.toSorted());
});

test('closing a consumer waits for the running handler and takes no more messages', async () => {
  const queue = await openReadyQueue();
  const gate = deferred();
  const done: string[] = [];
  let started = 0;
  const consumer = openConsumer({
    ...options,
    concurrency: 1,
    handle: async ({ jobId }) => {
      started += 1;
      await gate.promise;
      done.push(jobId);
    },
  });
  const [first, second] = [randomUUID(), randomUUID()];
  await queue.wake([{ jobId: first, nextAttempt: 1 }]);
  await waitUntil(() => started === 1);
  await queue.wake([{ jobId: second, nextAttempt: 1 }]);
  const close = consumer.close();
  gate.resolve();
  await close;
  expect(done).toEqual([first]);
  expect(await probe.waiting()).toEqual([`${second}-1`]);
});

test('subscribers of an account share one subscription in Redis, which ends with the last of them', async () => {
  const publisher = closed(openJobPublisher(options));
  const subscriber = closed(openJobSubscriber(options));
  const accountId = randomUUID();
  const channel = `${options.prefix}:jobs:${accountId}`;
  const subscriptions = async () => (await probe.client.pubsub('NUMSUB', channel))[1];
  const change = { jobId: randomUUID(), version: 3 };
  const heard: string[] = [];
  const stops = ['a', 'b', 'c'].map((name) =>
    subscriber.subscribe(accountId, (one) => heard.push(`${name}${one.version}`)),
  );
  subscriber.subscribe(randomUUID(), () => heard.push('another account'));
  await waitUntil(async () => (await subscriptions()) === 1);
  await waitUntil(async () => {
    await publisher.publish(accountId, change);
    return heard.length > 0;
  });
  expect(heard.slice(0, 3)).toEqual(['a3', 'b3', 'c3']);
  stops[0]?.();
  stops[0]?.();
  stops[1]?.();
  expect(await subscriptions()).toBe(1);
  heard.length = 0;
  await publisher.publish(accountId, { ...change, version: 4 });
  await waitUntil(() => heard.includes('c4'));
  expect(heard).not.toContain('a4');
  stops[2]?.();
  await waitUntil(async () => (await subscriptions()) === 0);
  subscriber.subscribe(accountId, () => heard.push('again'));
  await waitUntil(async () => {
    await publisher.publish(accountId, change);
    return heard.includes('again');
  });
});

test('subscribing again immediately is not affected by the end of the previous subscription', async () => {
  const publisher = closed(openJobPublisher(options));
  const subscriber = closed(openJobSubscriber(options));
  const accountId = randomUUID();
  let heard = 0;
  for (let turn = 0; turn < 20; turn += 1) subscriber.subscribe(accountId, () => {})();
  subscriber.subscribe(accountId, () => {
    heard += 1;
  });
  await waitUntil(async () => {
    await publisher.publish(accountId, { jobId: randomUUID(), version: 1 });
    return heard > 0;
  });
});

test('invalid messages are ignored', async () => {
  const publisher = closed(openJobPublisher(options));
  const subscriber = closed(openJobSubscriber(options));
  const accountId = randomUUID();
  const heard: unknown[] = [];
  subscriber.subscribe(accountId, (change) => heard.push(change));
  const channel = `${options.prefix}:jobs:${accountId}`;
  await waitUntil(async () => (await probe.client.pubsub('NUMSUB', channel))[1] === 1);
  for (const text of ['no json', '{}', '{"jobId":"x","version":1}', 'null']) await probe.client.publish(channel, text);
  const change = { jobId: randomUUID(), version: 2 };
  await publisher.publish(accountId, change);
  await waitUntil(() => heard.length > 0);
  expect(heard).toEqual([change]);
});

test('a worker is listed from its announcement until it withdraws, or for 15 seconds', async () => {
  const registry = closed(openWorkerRegistry(options));
  const machine = { device: 'cpu', networks: [], printProfiles: [], jail: 'full' as const };
  const info = { id: 'w-1', engines: ['standard'], installing: [], customModels: {}, slots: 2, pool: null, ...machine };
  const other = { ...info, id: 'w-2', slots: 1 };
  await waitUntil(() => registry.list().catch(() => false as const));
  await registry.announce({ ...info, engines: [...info.engines] });
  await registry.announce({ ...other, engines: [...other.engines] });
  await probe.client.set(`${options.prefix}:worker:old`, '{"id":"from another version"}');
  await probe.client.set(`${options.prefix}:worker:broken`, 'no json');
  await probe.client.sadd(`${options.prefix}:workers`, 'old', 'broken', 'silent');
  expect((await registry.list()).toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([info, other]);
  const lifeMs = await probe.client.pttl(`${options.prefix}:worker:w-1`);
  expect(lifeMs).toBeGreaterThan(13_000);
  expect(lifeMs).toBeLessThanOrEqual(15_000);
  await probe.client.pexpire(`${options.prefix}:worker:w-1`, 1);
  await waitUntil(async () => (await registry.list()).length === 1);
  await registry.withdraw('w-2');
  expect(await registry.list()).toEqual([]);
});

test('a Redis that lost its data is detected once, by one of several callers', async () => {
  const queues = [await openReadyQueue(), await openReadyQueue()];
  const ask = () => Promise.all(queues.map((queue) => queue.keepsEpoch()));
  expect((await ask()).toSorted()).toEqual([false, true]);
  expect(await ask()).toEqual([true, true]);
  await probe.empty();
  expect((await ask()).toSorted()).toEqual([false, true]);
});

test('costs are accepted until they reach the limit, also when they are concurrent, and again after the window', async () => {
  const counters = closed(openCounterStore(options));
  await counters.tried;
  const spend = (windowMs: number) => counters.spend('203.0.113.1', { cost: 1.5, most: 4.5, windowMs });
  const answers = await Promise.all(Array.from({ length: 20 }, () => spend(60_000)));
  expect(answers.filter((leftMs) => leftMs === undefined)).toHaveLength(3);
  for (const leftMs of answers.filter((left) => left !== undefined)) expect(leftMs).toBeGreaterThan(50_000);
  await probe.client.pexpire(`${options.prefix}:cost:203.0.113.1`, 1);
  await waitUntil(async () => (await spend(60_000)) === undefined);
  expect(await counters.spend('203.0.113.2', { cost: 1, most: 1, windowMs: 60_000 })).toBeUndefined();
});
