import { expect, it } from 'vitest';
import { type FairQueueOptions, makeFairQueue, QueueFullError } from './make-fair-queue.ts';

/** A queue whose tasks end when `finish` is called, after so many milliseconds. */
function open(slots = 4, maxWaiting?: number, group?: FairQueueOptions['group']) {
  let nowMs = 0;
  let waits = 0;
  const running: { name: string; end: () => void }[] = [];
  const queue = makeFairQueue({
    slots,
    group,
    halfLifeMs: 60_000,
    maxWaiting,
    onWait: () => waits++,
    now: () => nowMs,
  });
  const flush = () => new Promise((resolve) => setImmediate(resolve));
  return {
    queue,
    add: (key: string, name = key) => queue.run(key, () => new Promise<void>((end) => running.push({ name, end }))),
    names: () => running.map(({ name }) => name),
    finish: async (name: string, afterMs = 0) => {
      await flush();
      nowMs += afterMs;
      const [task] = running.splice(
        running.findIndex((one) => one.name === name),
        1,
      );
      task?.end();
      await flush();
    },
    pass: (ms: number) => {
      nowMs += ms;
    },
    flush,
    waits: () => waits,
  };
}

it('runs the tasks of one caller in their order, and no more than half of all', async () => {
  const { add, names, finish, flush } = open();
  for (const name of ['a', 'b', 'c', 'd']) void add('one', name);
  await flush();
  expect(names()).toEqual(['a', 'b']);
  await finish('a');
  expect(names()).toEqual(['b', 'c']);
});

it('starts the task of another caller at once while one caller sends slow ones', async () => {
  const { add, names, flush } = open();
  for (let i = 0; i < 50; i++) void add('slow');
  void add('other');
  await flush();
  expect(names()).toEqual(['slow', 'slow', 'other']);
});

it('lets another caller wait for at most one running task while two callers send slow ones', async () => {
  const { add, names, finish, flush } = open();
  for (let i = 0; i < 50; i++) void add(i % 2 ? 'slow' : 'slower');
  void add('other');
  await flush();
  expect(names()).not.toContain('other');
  await finish('slow', 2_000);
  expect(names()).toContain('other');
});

it('prefers the caller that used the least time recently', async () => {
  const { add, names, finish, pass, flush } = open(1);
  /** The order in which tasks of these callers run that wait at the same time. */
  const orderOf = async (callers: string[]) => {
    void add('first');
    await flush();
    for (const caller of callers) void add(caller);
    await finish('first');
    const order: string[] = [];
    for (const _ of callers) {
      order.push(...names());
      await finish(names()[0] ?? '');
    }
    return order;
  };
  void add('heavy');
  await finish('heavy', 10_000);
  void add('light');
  await finish('light', 4_000);
  expect(await orderOf(['heavy', 'light', 'new'])).toEqual(['new', 'light', 'heavy']);
  // After four minutes, a sixteenth of the 10 seconds counts.
  pass(240_000);
  void add('newer');
  await finish('newer', 1_000);
  expect(await orderOf(['newer', 'heavy'])).toEqual(['heavy', 'newer']);
});

it('counts the tasks that wait, and says when one has to', async () => {
  const { queue, add, finish, flush, waits } = open();
  for (let i = 0; i < 5; i++) void add('one');
  void add('other');
  await flush();
  expect([queue.countWaitingOf('one'), queue.countWaitingOf('other'), queue.countWaiting(), waits()]).toEqual([
    3, 0, 3, 3,
  ]);
  await finish('one');
  expect([queue.countWaitingOf('one'), waits()]).toEqual([2, 3]);
});

it('throws the error of a task and continues with the next one', async () => {
  const { queue } = open(1);
  const failed = queue.run('one', () => Promise.reject(new Error('broken')));
  const next = queue.run('one', async () => 'done');
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('done');
});

it('rejects the newest task of the caller with the most waiting ones when too many wait', async () => {
  const { queue, add, names, finish, flush } = open(1, 3);
  const rejected: string[] = [];
  const tryAdd = (key: string, name: string) =>
    void add(key, name).catch((error: unknown) => error instanceof QueueFullError && rejected.push(name));
  for (const name of ['running', 'a', 'b', 'c', 'd']) tryAdd('crowd', name);
  await flush();
  expect(rejected).toEqual(['d']);
  for (const key of ['one', 'two', 'three']) tryAdd(key, key);
  await flush();
  // All callers have one task that waits: the newest isn't admitted.
  expect(rejected).toEqual(['d', 'c', 'b', 'three']);
  expect(queue.countWaiting()).toBe(3);
  await finish('running', 1_000);
  expect(names()).toEqual(['one']);
});

it('rejects a task of a group before those of callers with as many waiting ones', async () => {
  const group = { includes: (key: string) => key.startsWith('new'), slots: 1, slotsEach: 1 };
  const { add, flush } = open(1, 2, group);
  const rejected: string[] = [];
  for (const key of ['running', 'new', 'one', 'two']) void add(key).catch(() => rejected.push(key));
  await flush();
  expect(rejected).toEqual(['new']);
});

it('leaves slots for others while any number of callers of a group send tasks', async () => {
  const group = { includes: (key: string) => key.startsWith('new'), slots: 3, slotsEach: 1 };
  const { add, names, finish, flush } = open(6, undefined, group);
  for (let i = 0; i < 10; i++) for (let task = 0; task < 2; task++) void add(`new ${i}`);
  void add('known');
  await flush();
  expect(names()).toEqual(['new 0', 'new 1', 'new 2', 'known']);
  void add('known');
  await finish('new 0', 10);
  expect(names()).toEqual(['new 1', 'new 2', 'known', 'known', 'new 3']);
});
