import { expect, test } from 'vitest';
import { repeat } from './repeat.ts';

/** Creates work that the test finishes manually. */
function makeWork() {
  const waiting: (() => void)[] = [];
  const events: string[] = [];
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    events.push('begin');
    await new Promise<void>((resolve) => waiting.push(resolve));
    events.push('end');
    running -= 1;
  };
  const begun = async (count: number) => {
    while (events.filter((event) => event === 'begin').length < count)
      await new Promise((resolve) => setImmediate(resolve));
  };
  return { work, events, begun, finish: () => waiting.shift()?.(), most: () => most };
}

test('starts immediately, and starts each run after the previous one ended', async () => {
  const { work, begun, finish, most, events } = makeWork();
  const sweep = repeat(0, work, () => {});
  for (let run = 1; run <= 20; run += 1) {
    await begun(run);
    expect(events.filter((event) => event === 'begin')).toHaveLength(run);
    finish();
  }
  await begun(21);
  finish();
  await sweep.close();
  expect(most()).toBe(1);
});

test('closing waits for the current run and starts no other', async () => {
  const { work, begun, finish, events } = makeWork();
  const sweep = repeat(0, work, () => {});
  await begun(1);
  let closed = false;
  const close = sweep.close().then(() => {
    closed = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(closed).toBe(false);
  finish();
  await close;
  expect(events).toEqual(['begin', 'end']);
});

test('closing between two runs ends immediately', async () => {
  let runs = 0;
  const sweep = repeat(
    3_600_000,
    async () => {
      runs += 1;
    },
    () => {},
  );
  await new Promise((resolve) => setImmediate(resolve));
  await sweep.close();
  expect(runs).toBe(1);
});

test('reports a failed run and continues with the next one', async () => {
  const errors: unknown[] = [];
  let runs = 0;
  const third = new Promise<void>((resolve) => {
    const sweep = repeat(
      0,
      () => {
        runs += 1;
        if (runs === 3) resolve(sweep.close());
        return Promise.reject(new Error(`run ${runs}`));
      },
      (error) => errors.push(error),
    );
  });
  await third;
  expect(errors.map(String).slice(0, 2)).toEqual(['Error: run 1', 'Error: run 2']);
});
