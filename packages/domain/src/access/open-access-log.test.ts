import { describe, expect, it } from 'vitest';
import { type BufferedItem, makeFlushBuffer } from './open-access-log.ts';

const unavailable = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });

function openBuffer(max = 10) {
  const written: BufferedItem<string>[][] = [];
  const lost: { count: number; error: unknown }[] = [];
  const failures: Error[] = [];
  const buffer = makeFlushBuffer<string>({
    max,
    write: async (items) => {
      const failure = failures.shift();
      if (failure) throw failure;
      written.push(items);
    },
    onLost: (count, error) => lost.push({ count, error }),
  });
  return { ...buffer, written, lost, failures };
}
const facts = (items: BufferedItem<string>[] = []) => items.map(({ item, count }) => [item, count]);

describe('makeFlushBuffer', () => {
  it('writes all items together, and items with equal keys once with their count', async () => {
    const { add, flush, written } = openBuffer();
    for (const key of ['a', 'b', 'a']) add(key, key.toUpperCase());
    await flush();
    await flush();
    expect(written.map(facts)).toEqual([
      [
        ['A', 2],
        ['B', 1],
      ],
    ]);
    expect(written[0]?.every(({ ageS }) => ageS >= 0 && ageS < 60)).toBe(true);
  });

  it('counts items beyond its size as lost, but not those with a key that it holds', async () => {
    const { add, flush, written, lost } = openBuffer(2);
    for (const key of ['a', 'b', 'c', 'd', 'a']) add(key, key);
    await flush();
    expect(facts(written[0])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    expect(lost.map(({ count }) => count)).toEqual([1, 1]);
    add('c', 'c');
    await flush();
    expect(facts(written[1])).toEqual([['c', 1]]);
  });

  it('keeps items while the database is unavailable, within its size', async () => {
    const { add, flush, written, lost, failures } = openBuffer(2);
    failures.push(unavailable);
    add('a', 'a');
    const flushing = flush();
    for (const key of ['a', 'b', 'c']) add(key, key);
    await flushing;
    expect(written).toEqual([]);
    await flush();
    expect(facts(written[0])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    expect(lost.map(({ count }) => count)).toEqual([1]);
  });

  it('loses items that the database rejects, and writes later ones', async () => {
    const { add, flush, written, lost, failures } = openBuffer();
    const rejection = new Error('invalid value');
    failures.push(rejection);
    for (const key of ['a', 'a', 'b']) add(key, key);
    await flush();
    expect(lost).toEqual([{ count: 3, error: rejection }]);
    add('c', 'c');
    await flush();
    expect(written.map(facts)).toEqual([[['c', 1]]]);
  });

  it('counts what cannot be written when it closes', async () => {
    const { add, close, lost, failures } = openBuffer();
    failures.push(unavailable);
    add('a', 'a');
    await close();
    expect(lost).toEqual([{ count: 1, error: undefined }]);
  });
});
