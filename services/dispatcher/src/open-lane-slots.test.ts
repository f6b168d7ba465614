import type { DueLane } from '@uprez/db/queries/webhooks/webhook-deliveries';
import { describe, expect, it } from 'vitest';
import { openLaneSlots } from './open-lane-slots.ts';

const lane = (accountId: string, number = 0, failing = false): DueLane => ({
  lane: `${accountId}-${number}`,
  accountId,
  failing,
  due: 1,
});
const lanesOf = (accountId: string, count: number, failing = false) =>
  Array.from({ length: count }, (_, number) => lane(accountId, number, failing));
const countOf = (lanes: readonly DueLane[], accountId: string) =>
  lanes.filter((one) => one.accountId === accountId).length;

/** Slots with a clock of their own. */
function openClockedSlots() {
  let nowMs = 0;
  const slots = openLaneSlots(() => nowMs);
  return {
    ...slots,
    releaseAll: (lanes: readonly DueLane[]) => {
      for (const one of lanes) slots.release(one.lane);
    },
    pass: (seconds: number) => {
      nowMs += 1_000 * seconds;
    },
  };
}

describe('the slots of a sender', () => {
  it('are shared equally by accounts that wait together, in the order of waiting', () => {
    const slots = openClockedSlots();
    const taken = slots.take([...lanesOf('a', 40), ...lanesOf('b', 40), ...lanesOf('c', 40), ...lanesOf('d', 40)]);
    expect(['a', 'b', 'c', 'd'].map((name) => countOf(taken, name))).toEqual([16, 16, 16, 16]);
    expect(slots.isCrowded()).toBe(true);
  });

  it('are all available to one account while no other waits', () => {
    const slots = openClockedSlots();
    expect(slots.take(lanesOf('a', 36))).toHaveLength(36);
    expect(slots.isCrowded()).toBe(false);
  });

  it('go to the account that used the least time recently', () => {
    const slots = openClockedSlots();
    const first = slots.take([...lanesOf('slow', 32), ...lanesOf('quick', 32)]);
    slots.pass(1);
    slots.releaseAll(first.filter(({ accountId }) => accountId === 'quick'));
    slots.pass(9);
    slots.releaseAll(first);
    const taken = slots.take([...lanesOf('slow', 40), ...lanesOf('quick', 10), ...lanesOf('new', 10)]);
    expect(taken.slice(0, 20).map(({ accountId }) => accountId)).toEqual([
      ...Array(10).fill('new'),
      ...Array(10).fill('quick'),
    ]);
  });

  it('are forgotten as used after some minutes', () => {
    const slots = openClockedSlots();
    slots.releaseAll(slots.take(lanesOf('a', 1)));
    const [long] = slots.take(lanesOf('b', 1));
    slots.pass(100);
    slots.release(long?.lane ?? '');
    slots.pass(900);
    expect(slots.take([...lanesOf('b', 1), ...lanesOf('a', 1)]).map(({ accountId }) => accountId)).toEqual(['b', 'a']);
  });

  it('are left to others by half when endpoints fail or accounts use many of them all the time', () => {
    const slots = openClockedSlots();
    expect(slots.take(lanesOf('failing', 40, true))).toHaveLength(32);
    const heavy = openClockedSlots();
    const first = heavy.take(lanesOf('heavy', 64));
    heavy.pass(10);
    expect(heavy.take([lane('other')])).toEqual([]);
    heavy.releaseAll(first);
    expect(heavy.take(lanesOf('heavy', 64))).toHaveLength(32);
    expect(heavy.take([lane('other')])).toEqual([lane('other')]);
  });

  it('are limited for the hosts of one endpoint', () => {
    const slots = openClockedSlots();
    const hosts = Array.from({ length: 20 }, (_, at) => ({ ...lane('a'), lane: `jobs host-${at}` }));
    expect(slots.take(hosts)).toHaveLength(8);
    expect(slots.isCrowded()).toBe(false);
  });

  it('reach a quick endpoint within one request of 80 slow ones of 4 accounts that answer after 13 s', () => {
    const slots = openClockedSlots();
    const slow = ['a', 'b', 'c', 'd'].flatMap((name) => lanesOf(name, 20));
    const active = new Map<DueLane, number>();
    const waits: number[] = [];
    for (let at = 0; at < 120; at += 0.5) {
      for (const [one, end] of active)
        if (end <= at) {
          slots.release(one.lane);
          active.delete(one);
        }
      // Every 20 s something becomes due for the quick endpoint. The slow ones always have something due.
      const isDue = at % 20 >= 1 && waits.length <= Math.floor(at / 20);
      for (const one of slots.take([...slow, ...(isDue ? [lane('quick')] : [])])) {
        if (one.accountId === 'quick') waits.push((at % 20) - 1);
        active.set(one, at + (one.accountId === 'quick' ? 0.1 : 13));
      }
      slots.pass(0.5);
    }
    expect(waits).toHaveLength(6);
    expect(Math.max(...waits)).toBeLessThanOrEqual(13);
    // The slow accounts are known as heavy by then.
    expect(waits.slice(2)).toEqual([0, 0, 0, 0]);
  });
});
