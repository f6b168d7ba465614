import { expect, it, vi } from 'vitest';
import { makeByteBudget } from './body-budgets.ts';

const open = (waitMs = 10_000) =>
  makeByteBudget({ limitName: 'body_memory', totalBytes: 100, accountBytes: 40, addressBytes: 60, waitMs });

/** Whether a promise is fulfilled in this turn of the event loop. */
async function isReady(promise: Promise<unknown>): Promise<boolean> {
  let ready = false;
  void promise.then(() => {
    ready = true;
  });
  await new Promise(setImmediate);
  return ready;
}

it('holds at most the bytes of all, of an account, and of an address', async () => {
  const budget = open();
  const first = await budget.hold({ account: 'a', address: '1' }, 30);
  const ofAccount = budget.hold({ account: 'a', address: '2' }, 20);
  const ofAddress = budget.hold({ account: 'b', address: '1' }, 35);
  const other = await budget.hold({ address: '3' }, 50);
  const late = budget.hold({ address: '4' }, 30);
  for (const one of [ofAccount, ofAddress, late]) expect(await isReady(one)).toBe(false);
  expect(budget.heldBytes()).toBe(80);
  first();
  first();
  expect(await isReady(ofAccount)).toBe(true);
  expect(budget.heldBytes()).toBe(70);
  // The one that waits longest is next, although a smaller one would fit.
  expect(await isReady(ofAddress)).toBe(false);
  expect(await isReady(late)).toBe(false);
  other();
  for (const one of [ofAddress, late]) (await one)();
  (await ofAccount)();
  expect(budget.heldBytes()).toBe(0);
});

it('holds what is larger than a share alone', async () => {
  const budget = open();
  const release = await budget.hold({ account: 'a', address: '1' }, 500);
  const next = budget.hold({ account: 'b', address: '2' }, 1);
  expect(await isReady(next)).toBe(false);
  release();
  expect(await isReady(next)).toBe(true);
});

it('throws server_busy after the wait, and then lets others have the place', async () => {
  const budget = open(20);
  const release = await budget.hold({ address: '1' }, 60);
  await expect(budget.hold({ address: '2' }, 50)).rejects.toMatchObject({ code: 'server_busy', status: 503 });
  expect(await isReady(budget.hold({ address: '3' }, 40))).toBe(true);
  release();
});

it('lets those behind the first one have the place as soon as it stops waiting', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const budget = open(20);
    await budget.hold({ address: '1' }, 60);
    const first = expect(budget.hold({ address: '2' }, 50)).rejects.toMatchObject({ code: 'server_busy' });
    vi.advanceTimersByTime(10);
    const next = budget.hold({ address: '3' }, 40);
    expect(await isReady(next)).toBe(false);
    vi.advanceTimersByTime(10);
    await first;
    expect(await isReady(next)).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
