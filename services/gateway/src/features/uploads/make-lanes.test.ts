import { expect, it } from 'vitest';
import { makeLanes } from './make-lanes.ts';

it('lets so many of a key run at once, the others in their order, and keys apart', async () => {
  const inLane = makeLanes(2);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (key: string, name: string) =>
    inLane(key, () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const a = ['a1', 'a2', 'a3', 'a4'].map((name) => run('a', name));
  const b = run('b', 'b1');
  expect(started).toEqual(['a1', 'a2', 'b1']);
  ends.get('a2')?.();
  expect(await a[1]).toBe('a2');
  await expect.poll(() => started).toEqual(['a1', 'a2', 'b1', 'a3']);
  for (const name of ['a1', 'a3', 'b1']) ends.get(name)?.();
  await expect.poll(() => ends.has('a4')).toBe(true);
  ends.get('a4')?.();
  expect(await Promise.all([...a, b])).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
});

it('goes on after work that failed', async () => {
  const inLane = makeLanes(1);
  const failed = inLane('a', () => Promise.reject(new Error('no')));
  const next = inLane('a', async () => 'yes');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
