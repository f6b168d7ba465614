import { expect, it } from 'vitest';
import { retryDatabase } from './process-job.ts';

const unavailable = () => Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED' });

it('retries while PostgreSQL is unavailable', async () => {
  let calls = 0;
  const work = async () => {
    calls += 1;
    if (calls === 1) throw unavailable();
    return 'done';
  };
  expect(await retryDatabase(work, { maxMs: 10_000 })).toBe('done');
  expect(calls).toBe(2);
});

it('throws other errors without a retry', async () => {
  let calls = 0;
  const work = async () => {
    calls += 1;
    throw new Error('unique violation');
  };
  await expect(retryDatabase(work, { maxMs: 10_000 })).rejects.toThrow('unique violation');
  expect(calls).toBe(1);
});

it('throws the last error when the time is over or the signal has aborted', async () => {
  const work = () => Promise.reject(unavailable());
  await expect(retryDatabase(work, { maxMs: 0 })).rejects.toThrow('connect failed');
  await expect(retryDatabase(work, { maxMs: 10_000, signal: AbortSignal.abort() })).rejects.toThrow('connect failed');
});

it('returns the result of an attempt that succeeds after the signal has aborted', async () => {
  const controller = new AbortController();
  const work = async () => {
    controller.abort();
    return 'claimed';
  };
  expect(await retryDatabase(work, { maxMs: 10_000, signal: controller.signal })).toBe('claimed');
});
