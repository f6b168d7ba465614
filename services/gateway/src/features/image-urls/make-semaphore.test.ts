import { expect, it } from 'vitest';
import { makeSemaphore } from './image-routes.ts';

it('runs a limited number of tasks per key concurrently, in order, and independently of other keys', async () => {
  const run = makeSemaphore(2);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (key: string, name: string) =>
    run(key, () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const a = ['a1', 'a2', 'a3', 'a4'].map((name) => start('a', name));
  const b = start('b', 'b1');
  expect(started).toEqual(['a1', 'a2', 'b1']);
  ends.get('a2')?.();
  expect(await a[1]).toBe('a2');
  await expect.poll(() => started).toEqual(['a1', 'a2', 'b1', 'a3']);
  for (const name of ['a1', 'a3', 'b1']) ends.get(name)?.();
  await expect.poll(() => ends.has('a4')).toBe(true);
  ends.get('a4')?.();
  expect(await Promise.all([...a, b])).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
});

it('runs the next task after one that failed', async () => {
  const run = makeSemaphore(1);
  const failed = run('a', () => Promise.reject(new Error('no')));
  const next = run('a', async () => 'yes');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
