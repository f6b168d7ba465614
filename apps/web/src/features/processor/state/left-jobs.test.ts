import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { forgetLeftJob, listLeftJobs, saveLeftJob } from './left-jobs.ts';

const hourMs = 60 * 60 * 1_000;
const ids = () => listLeftJobs().map(({ jobId }) => jobId);

let entries: Map<string, string>;

beforeEach(() => {
  entries = new Map();
  vi.useFakeTimers({ now: 0 });
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => entries.set(name, value),
    removeItem: (name: string) => entries.delete(name),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('lists the jobs of all tabs, the newest first, each once', () => {
  saveLeftJob({ jobId: 'a', imageKey: 'x' });
  saveLeftJob({ jobId: 'b', imageKey: 'y' });
  saveLeftJob({ jobId: 'a', imageKey: 'x' });
  expect(ids()).toEqual(['a', 'b']);
  forgetLeftJob('a');
  expect(ids()).toEqual(['b']);
  forgetLeftJob('b');
  expect(entries.size).toBe(0);
});

it('leaves out jobs after 24 hours, when their images are deleted', () => {
  saveLeftJob({ jobId: 'a', imageKey: 'x' });
  vi.setSystemTime(23 * hourMs);
  saveLeftJob({ jobId: 'b', imageKey: 'y' });
  expect(ids()).toEqual(['b', 'a']);
  vi.setSystemTime(24 * hourMs);
  expect(ids()).toEqual(['b']);
});

it('is empty when the browser denies storage, or the entry is of another version', () => {
  for (const entry of ['{"jobId":"a"', '{"jobId":"a"}']) {
    entries.set('uprez.left-jobs', entry);
    expect(ids()).toEqual([]);
  }
  vi.stubGlobal('localStorage', undefined);
  saveLeftJob({ jobId: 'a', imageKey: 'x' });
  expect(ids()).toEqual([]);
});
