import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { limitWork } from './open-inspector.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A child that gets a share of a processor. */
function startChild(share: number) {
  let killed: ErrorCode | undefined;
  const listeners = new Set<(code: ErrorCode) => void>();
  const kill = (code: ErrorCode) => {
    killed = code;
    for (const listener of listeners) listener(code);
  };
  const onExit = (listener: (code: ErrorCode) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const cpuMs = () => 500 + performance.now() * share;
  return { child: { cpuMs, onExit, kill }, killed: () => killed, countListeners: () => listeners.size };
}
const never = new Promise<never>(() => {});
const later = (ms: number) => new Promise<'answer'>((resolve) => setTimeout(() => resolve('answer'), ms));

it('kills a child that used its CPU time', async () => {
  const { child, killed } = startChild(1);
  const work = limitWork(child, { cpuMs: 2_000, waitMs: 10_000 });
  const ended = work.during(never);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(killed()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(await ended).toBe('processing_timeout');
  expect(work.isStarved()).toBe(false);
});

it('adds up the CPU time of several waits', async () => {
  const work = limitWork(startChild(1).child, { cpuMs: 2_000, waitMs: 10_000 });
  const first = work.during(later(1_500));
  await vi.advanceTimersByTimeAsync(1_500);
  expect(await first).toBe('answer');
  const second = work.during(later(1_500));
  await vi.advanceTimersByTimeAsync(500);
  expect(await second).toBe('processing_timeout');
});

it('waits for a child that gets a quarter of a processor', async () => {
  const work = limitWork(startChild(0.25).child, { cpuMs: 2_000, waitMs: 10_000 });
  const answer = work.during(later(7_000));
  await vi.advanceTimersByTimeAsync(7_000);
  expect(await answer).toBe('answer');
});

it('tells when a child got too little CPU time', async () => {
  const work = limitWork(startChild(0.1).child, { cpuMs: 2_000, waitMs: 10_000 });
  const first = work.during(later(6_000));
  await vi.advanceTimersByTimeAsync(6_000);
  expect(await first).toBe('answer');
  const second = work.during(never);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await second).toBe('processing_timeout');
  expect(work.isStarved()).toBe(true);
});

it('leaves nothing behind at a child that lives on', async () => {
  const { child, countListeners } = startChild(0.1);
  const work = limitWork(child, { cpuMs: 2_000, waitMs: 10_000 });
  const answer = work.during(later(100));
  expect(countListeners()).toBe(1);
  await vi.advanceTimersByTimeAsync(100);
  await answer;
  await expect(work.during(Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  expect(countListeners()).toBe(0);
});
