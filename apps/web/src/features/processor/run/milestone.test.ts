import type { Job } from '@uprez/contracts/schemas/jobs/job';
import { expect, it } from 'vitest';
import { milestone } from './milestone.ts';

const following = { phase: 'following', jobId: 'x' } as const;
const job = (status: Job['status'], progress = 0) => ({ status, progress }) as Job;

it('returns a different text for each phase', () => {
  const abort = new AbortController();
  const said = [
    milestone({ phase: 'idle' }, undefined),
    milestone({ phase: 'sending', percent: 40, isRetrying: false, abort }, undefined),
    milestone({ phase: 'sending', percent: 0, isRetrying: true, abort }, undefined),
    milestone({ phase: 'sending', percent: 100, isRetrying: false, abort }, undefined),
    milestone(following, job('queued')),
    milestone(following, job('processing', 10)),
    milestone(following, job('completed', 100)),
  ];
  expect(new Set(said).size).toBe(said.length);
  expect(said[0]).toBe('');
});

it('changes only every 25 percent', () => {
  const said = Array.from({ length: 100 }, (_, percent) => milestone(following, job('processing', percent)));
  expect(new Set(said).size).toBe(4);
});
