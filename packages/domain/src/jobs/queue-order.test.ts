import type { QueuedJob } from '@uprez/db/queries/jobs/queued-jobs';
import { expect, it } from 'vitest';
import { orderQueue } from './queue-order.ts';

const job = (id: string, accountId: string | null, facts: Partial<QueuedJob> = {}): QueuedJob => ({
  id,
  accountId,
  tier: 'free',
  virtualTime: 5,
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
  expect(order([...free, ...pro])).toEqual(['f0', 'p0', 'p1', 'p2', 'p3', 'f1', 'p4', 'p5', 'p6', 'p7', 'f2']);
});

it('treats visitors as one account, and lets no account catch up', () => {
  const jobs = [job('late1', 'l', { virtualTime: 1 }), job('late2', 'l', { virtualTime: 1 }), job('a1', 'a')];
  const visitors = [job('v1', null, { tier: null }), job('v2', null, { tier: null })];
  expect(order([...jobs, ...visitors])).toEqual(['late1', 'a1', 'v1', 'late2', 'v2']);
});
