import type { QueuedJob } from '@uprez/db/queries/jobs/queued-jobs';
import { expect, it } from 'vitest';
import { orderQueue } from './estimate-waits.ts';

const job = (id: string, accountId: string | null, facts: Partial<QueuedJob> = {}): QueuedJob => ({
  id,
  accountId,
  tier: 'free',
  planVersion: null,
  pool: null,
  virtualTime: 5,
  seconds: 1,
  ...facts,
});
const order = (jobs: QueuedJob[], systemTime = 5) =>
  [...orderQueue({ systemTime, jobs })].toSorted(([, a], [, b]) => a - b).map(([id]) => id);

it('lets equal accounts take turns, oldest job first', () => {
  const jobs = [job('a1', 'a'), job('a2', 'a'), job('a3', 'a'), job('b1', 'b'), job('b2', 'b')];
  expect(order(jobs)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
});

it('starts 4 jobs of a plan with weight 4 for each job of a free one', () => {
  const pro = Array.from({ length: 8 }, (_, n) => job(`p${n}`, 'p', { tier: 'pro' }));
  const free = Array.from({ length: 3 }, (_, n) => job(`f${n}`, 'f'));
  expect(order([...free, ...pro])).toEqual(['p0', 'f0', 'p1', 'p2', 'p3', 'p4', 'f1', 'p5', 'p6', 'p7', 'f2']);
});

it('treats visitors as one account, and starts an account that is behind first', () => {
  const jobs = [job('late1', 'l', { virtualTime: 1 }), job('late2', 'l', { virtualTime: 1 }), job('a1', 'a')];
  const visitors = [job('v1', null, { tier: null }), job('v2', null, { tier: null })];
  expect(order([...jobs, ...visitors])).toEqual(['late1', 'late2', 'a1', 'v1', 'v2']);
});

it('starts light jobs between the heavy ones of other accounts, by seconds', () => {
  const heavy = ['a', 'b', 'c'].flatMap((id) => [1, 2].map((n) => job(`${id}${n}`, id, { seconds: 10 })));
  const light = Array.from({ length: 10 }, (_, n) => job(`l${n}`, 'l'));
  const started = order([...heavy, ...light]).map((id) => (id.startsWith('l') ? 'l' : 'H'));
  expect(started.join('')).toMatch(/^lH(l+H){2}/);
});

it('predicts 10,000 jobs of 5,000 accounts within a second', () => {
  const jobs = Array.from({ length: 10_000 }, (_, n) => job(`${n}`, `${n % 5_000}`, { seconds: 1 + (n % 7) }));
  const start = performance.now();
  expect(orderQueue({ systemTime: 5, jobs }).size).toBe(10_000);
  expect(performance.now() - start).toBeLessThan(1_000);
});
