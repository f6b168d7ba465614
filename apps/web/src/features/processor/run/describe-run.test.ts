import type { Job } from '@uprez/contracts/schemas/jobs/job';
import { expect, it } from 'vitest';
import { describeMilestone, queuedText } from './describe-run.ts';

const following = { phase: 'following', jobId: 'x' } as const;
const job = (status: Job['status'], progress = 0) => ({ status, progress }) as Job;

it('returns a different text for each phase', () => {
  const abort = new AbortController();
  const said = [
    describeMilestone({ phase: 'idle' }, undefined),
    describeMilestone({ phase: 'sending', percent: 40, isRetrying: false, abort }, undefined),
    describeMilestone({ phase: 'sending', percent: 0, isRetrying: true, abort }, undefined),
    describeMilestone({ phase: 'sending', percent: 100, isRetrying: false, abort }, undefined),
    describeMilestone(following, job('queued')),
    describeMilestone(following, job('processing', 10)),
    describeMilestone(following, job('completed', 100)),
  ];
  expect(new Set(said).size).toBe(said.length);
  expect(said[0]).toBe('');
});

it('changes only every 25 percent', () => {
  const said = Array.from({ length: 100 }, (_, percent) => describeMilestone(following, job('processing', percent)));
  expect(new Set(said).size).toBe(4);
});

it('says the place in the queue and when the job starts, as far as they are known', () => {
  expect(queuedText(undefined)).toBe('Queued');
  expect(queuedText({})).toBe('Queued');
  expect(queuedText({ queuePosition: 0, waitSeconds: 0 })).toBe('Next in the queue');
  expect(queuedText({ queuePosition: 0, waitSeconds: 12 })).toBe('Next in the queue · starts in about 10 s');
  expect(queuedText({ queuePosition: 3, waitSeconds: 130 })).toBe('3 images ahead of yours · starts in about 2 min');
  expect(queuedText({ queuePosition: 1 })).toBe('1 image ahead of yours');
});
