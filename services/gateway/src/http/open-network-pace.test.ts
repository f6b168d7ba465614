import { limits } from '@uprez/contracts/policy/limits';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openNetworkPace } from './open-network-pace.ts';

const { networkRequests: perSecond, networkBurst: burst, networkWaitMs: waitMs } = limits;
const mostWaiting = (perSecond * waitMs) / 1_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Sends requests from as many addresses of a prefix as named, and counts how many had a turn, and how many were refused. */
function open() {
  const pace = openNetworkPace({ scale: 1 });
  const counts: Record<string, { turns: number; refused: number }> = {};
  const send = (count: number, { prefix = 'a', addresses = count } = {}) => {
    for (let at = 0; at < count; at += 1) {
      const address = `${prefix}.${at % addresses}`;
      const own = counts[address] ?? { turns: 0, refused: 0 };
      counts[address] = own;
      pace.wait({ prefix, address }).then(
        () => (own.turns += 1),
        () => (own.refused += 1),
      );
    }
  };
  const sum = (kind: 'turns' | 'refused', prefix = 'a') =>
    Object.entries(counts)
      .filter(([address]) => address.startsWith(`${prefix}.`))
      .reduce((total, [, own]) => total + own[kind], 0);
  return { pace, send, turns: (prefix?: string) => sum('turns', prefix), refused: () => sum('refused') };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('gives a burst of requests their turns at once, and later ones at a pace', async () => {
  const { send, turns } = open();
  send(mostWaiting);
  await pass(0);
  expect(turns()).toBe(burst);
  await pass(1_000);
  expect(turns()).toBe(burst + perSecond);
});

it('delays no other prefix, and forgets prefixes without requests', async () => {
  const { pace, send, turns } = open();
  send(mostWaiting);
  send(burst, { prefix: 'b' });
  await pass(0);
  expect(turns('b')).toBe(burst);
  await pass(2 * waitMs);
  expect(pace.count()).toBe(0);
});

it('gives the next turn to an address that had fewer', async () => {
  const { pace, send, turns } = open();
  send(mostWaiting, { addresses: 2 });
  await pass(0);
  let isServed = false;
  void pace.wait({ prefix: 'a', address: 'quiet' }).then(() => {
    isServed = true;
  });
  await pass((1_000 * burst) / perSecond);
  expect(isServed).toBe(true);
  expect(turns()).toBe(2 * burst - 1);
});

it('refuses requests above those that may wait, after the longest wait', async () => {
  const { send, refused } = open();
  send(burst + mostWaiting + 3);
  await pass(waitMs - 1);
  expect(refused()).toBe(0);
  await pass(1);
  expect(refused()).toBe(3);
});
