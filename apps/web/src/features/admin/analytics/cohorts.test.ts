import { expect, it } from 'vitest';
import { groupCohorts } from './cohorts.ts';

const rows = [
  { cohort: '2025-12-01', month: '2025-12-01', accounts: 4, active: 4, paying: 0 },
  { cohort: '2025-12-01', month: '2026-02-01', accounts: 4, active: 1, paying: 2 },
  { cohort: '2025-12-01', month: '2026-03-01', accounts: 4, active: 2, paying: null },
  { cohort: '2026-01-01', month: '2026-01-01', accounts: 0, active: 0, paying: 0 },
  { cohort: '2026-02-01', month: '2026-02-01', accounts: 8, active: 2, paying: 1 },
];

it('groups cohorts by month of sign-up, newest first, with a gap for months that were not kept', () => {
  expect(groupCohorts(rows, 'active')).toEqual([
    { cohort: '2026-02-01', accounts: 8, shares: [0.25] },
    { cohort: '2025-12-01', accounts: 4, shares: [1, null, 0.25, 0.5] },
  ]);
  expect(groupCohorts(rows, 'paying').map(({ shares }) => shares)).toEqual([[0.125], [0, null, 0.5, null]]);
});
