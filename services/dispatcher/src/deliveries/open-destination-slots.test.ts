import type { DueDestination } from '@uprez/db/queries/webhooks/due-destinations';
import { describe, expect, it } from 'vitest';
import { openDestinationSlots } from './open-webhook-sender.ts';

const due = (accountId: string, number = 0, failing = false): DueDestination => ({
  destination: `${accountId}-${number}`,
  accountId,
  failing,
  due: 1,
});
const dueOf = (accountId: string, count: number, failing = false) =>
  Array.from({ length: count }, (_, number) => due(accountId, number, failing));
const countOf = (destinations: readonly DueDestination[], accountId: string) =>
  destinations.filter((one) => one.accountId === accountId).length;

/** Slots with a clock of their own. */
function openClockedSlots() {
  let nowMs = 0;
  const slots = openDestinationSlots(() => nowMs);
  return {
    ...slots,
    releaseAll: (destinations: readonly DueDestination[]) => {
      for (const one of destinations) slots.release(one.destination);
    },
    pass: (seconds: number) => {
      nowMs += 1_000 * seconds;
    },
  };
}

describe('the slots of a sender', () => {
  it('are shared equally by accounts that wait together, in the order of waiting', () => {
    const slots = openClockedSlots();
    const taken = slots.take([...dueOf('a', 40), ...dueOf('b', 40), ...dueOf('c', 40), ...dueOf('d', 40)]);
    expect(['a', 'b', 'c', 'd'].map((name) => countOf(taken, name))).toEqual([16, 16, 16, 16]);
    expect(slots.isCrowded()).toBe(true);
  });

  it('are all available to one account while no other waits', () => {
    const slots = openClockedSlots();
    expect(slots.take(dueOf('a', 36))).toHaveLength(36);
    expect(slots.isCrowded()).toBe(false);
  });

  it('go to the account that used the least time recently', () => {
    const slots = openClockedSlots();
    const first = slots.take([...dueOf('slow', 32), ...dueOf('quick', 32)]);
    slots.pass(1);
    slots.releaseAll(first.filter(({ accountId }) => accountId === 'quick'));
    slots.pass(9);
    slots.releaseAll(first);
    const taken = slots.take([...dueOf('slow', 40), ...dueOf('quick', 10), ...dueOf('new', 10)]);
    expect(taken.slice(0, 20).map(({ accountId }) => accountId)).toEqual([
      ...Array(10).fill('new'),
      ...Array(10).fill('quick'),
    ]);
  });

  it('are forgotten as used after some minutes', () => {
    const slots = openClockedSlots();
    slots.releaseAll(slots.take(dueOf('a', 1)));
    const [long] = slots.take(dueOf('b', 1));
    slots.pass(100);
    slots.release(long?.destination ?? '');
    slots.pass(900);
    expect(slots.take([...dueOf('b', 1), ...dueOf('a', 1)]).map(({ accountId }) => accountId)).toEqual(['b', 'a']);
  });

  it('are left to others by half when endpoints fail or accounts use many of them all the time', () => {
    const slots = openClockedSlots();
    expect(slots.take(dueOf('failing', 40, true))).toHaveLength(32);
    const heavy = openClockedSlots();
    const first = heavy.take(dueOf('heavy', 64));
    heavy.pass(10);
    expect(heavy.take([due('other')])).toEqual([]);
    heavy.releaseAll(first);
    expect(heavy.take(dueOf('heavy', 64))).toHaveLength(32);
    expect(heavy.take([due('other')])).toEqual([due('other')]);
  });

  it('are limited for the hosts of one endpoint', () => {
    const slots = openClockedSlots();
    const hosts = Array.from({ length: 20 }, (_, at) => ({ ...due('a'), destination: `jobs host-${at}` }));
    expect(slots.take(hosts)).toHaveLength(8);
    expect(slots.isCrowded()).toBe(false);
  });

  it('reach a quick endpoint within one request of 80 slow ones of 4 accounts that answer after 13 s', () => {
    const slots = openClockedSlots();
    const slow = ['a', 'b', 'c', 'd'].flatMap((name) => dueOf(name, 20));
    const active = new Map<DueDestination, number>();
    const waits: number[] = [];
    for (let at = 0; at < 120; at += 0.5) {
      for (const [one, end] of active)
        if (end <= at) {
          slots.release(one.destination);
          active.delete(one);
        }
      // Every 20 s something becomes due for the quick endpoint. The slow ones always have something due.
      const isDue = at % 20 >= 1 && waits.length <= Math.floor(at / 20);
      for (const one of slots.take([...slow, ...(isDue ? [due('quick')] : [])])) {
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
