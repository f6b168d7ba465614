import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { QueuedJob } from '@uprez/db/queries/jobs/queued-jobs';
import { describe, expect, it } from 'vitest';
import { estimateWaits } from './estimate-waits.ts';

const systemTime = 7;
/** `count` jobs of one account, or of as many accounts. */
function queue(count: number, facts: { tier?: Tier | null; seconds?: number; accounts?: number } = {}): QueuedJob[] {
  const { tier = 'free', seconds = 1, accounts = 1 } = facts;
  return Array.from({ length: count }, (_, n) => ({
    id: `${tier}-${seconds}-${n}`,
    accountId: tier ? `${tier}-${seconds}-${n % accounts}` : null,
    tier,
    planVersion: null,
    pool: null,
    virtualTime: systemTime,
    seconds,
  }));
}
const estimate = (jobs: QueuedJob[], slots = 1) => estimateWaits({ systemTime, jobs }, slots);
const free = (jobs: QueuedJob[], slots?: number) => estimate(jobs, slots).byWeight.get(1);
const enterprise = (jobs: QueuedJob[], slots?: number) => estimate(jobs, slots).byWeight.get(8);

describe('the estimated wait of a new image', () => {
  it('is 0 for an empty queue', () => {
    expect(estimate([])).toEqual({
      byWeight: new Map([
        [1, 0],
        [4, 0],
        [8, 0],
      ]),
      visitor: 0,
    });
  });

  it('is the time of the jobs of as many accounts, divided among the slots', () => {
    const jobs = queue(100, { seconds: 4, accounts: 100 });
    expect(free(jobs)).toBe(400);
    expect(free(jobs, 8)).toBe(50);
  });

  it('is short for paid plans while free accounts wait long', () => {
    const jobs = queue(100, { seconds: 4, accounts: 100 });
    expect(enterprise(jobs)).toBe(0);
    const all = [...jobs, ...queue(20, { seconds: 4, accounts: 20, tier: 'enterprise' })];
    expect(enterprise(all)).toBe(80);
    expect(free(all)).toBe(480);
  });

  it('does not grow with the jobs of one account', () => {
    expect(free(queue(10))).toBe(free(queue(5_000)));
    expect(free(queue(50, { seconds: 300 }))).toBe(0);
  });

  it('of a visitor grows with the previews of all visitors, who share one account and one slot', () => {
    const previews = queue(30, { tier: null, seconds: 2 });
    expect(estimate(previews).visitor).toBe(60);
    expect(estimate(previews, 8).visitor).toBe(60);
    expect(free(previews)).toBeLessThan(10);
  });
});
