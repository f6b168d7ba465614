import { jobStatuses } from '@uprez/contracts/policy/job-status';
import { expect, it } from 'vitest';
import { statusKinds } from './activity-list.tsx';

it('shows only failed jobs in red', () => {
  expect(jobStatuses.filter((status) => statusKinds[status] === 'failed')).toEqual(['failed']);
});
