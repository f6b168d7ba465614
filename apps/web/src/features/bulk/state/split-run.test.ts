import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import { expect, it } from 'vitest';
import type { Row } from './row.ts';
import { splitRun, toCreditPools } from './split-run.ts';

const resetsAt = '2026-12-01T00:00:00.000Z';
const quota = (meter: Dashboard['quota'][number]['meter'], left: number) => ({
  ...{ meter, left, resetsAt, included: 100, granted: 0, used: 100 - left },
});
const file = new File(['x'], 'a.png');
const row = (id: string, more: Partial<Row> = {}): Row => ({
  ...{ id, name: 'a.png', relativePath: 'a.png', size: 1, file, status: 'pending', sent: 0, progress: 0 },
  ...more,
});
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(`r${index}`));
const ids = (list: readonly Row[]) => list.map(({ id }) => id);
const ai = () => 'ai' as const;

it('runs the first rows that have a credit left, and names the reason for the others', () => {
  const pools = toCreditPools({ quota: [quota('ai', 2), quota('standard', 500)] }, { ownPlan: currentPlans.pro });
  const { now, holds, shortage } = splitRun(rows(3), { ownPlan: currentPlans.pro, pools, meterOf: ai });
  expect(ids(now)).toEqual(['r0', 'r1']);
  expect([...holds]).toEqual([['r2', 'quota']]);
  expect(shortage).toEqual({ meter: 'ai', needs: 3, have: 2, resetsAt });
});

it('counts only images, and rows within the batch size of the plan', () => {
  const pools = toCreditPools({ quota: [quota('ai', 2)] }, { ownPlan: currentPlans.free });
  const list = [row('bad', { status: 'rejected' }), ...rows(4)];
  const { now, holds, locked, shortage } = splitRun(list, { ownPlan: currentPlans.free, pools, meterOf: ai });
  expect(ids(now)).toEqual(['r0', 'r1']);
  expect(Object.fromEntries(holds)).toEqual({ r2: 'quota', r3: 'quota' });
  expect(locked).toBe(1);
  expect(shortage).toMatchObject({ needs: 3, have: 2 });
});

it('leaves rows beyond the batch size for later runs, as far as the quota covers them', () => {
  const pools = toCreditPools({ quota: [quota('ai', 4)] }, { ownPlan: currentPlans.free });
  const { now, holds, locked, shortage } = splitRun(rows(5), { ownPlan: currentPlans.free, pools, meterOf: ai });
  expect(ids(now)).toEqual(['r0', 'r1', 'r2']);
  expect(Object.fromEntries(holds)).toEqual({ r3: 'plan', r4: 'quota' });
  expect(locked).toBe(2);
  expect(shortage).toBeUndefined();
});

it('takes each kind of image from its own meter, or from the shared one', () => {
  const meterOf = ({ id }: Row) => (id === 'r1' ? 'standard' : 'ai');
  const own = toCreditPools({ quota: [quota('ai', 1), quota('standard', 1)] }, { ownPlan: currentPlans.pro });
  expect(ids(splitRun(rows(3), { ownPlan: currentPlans.pro, pools: own, meterOf }).now)).toEqual(['r0', 'r1']);
  const shared = toCreditPools({ quota: [quota('shared', 3)] }, { ownPlan: currentPlans.api_basic });
  expect(splitRun(rows(3), { ownPlan: currentPlans.api_basic, pools: shared, meterOf }).shortage).toBeUndefined();
});

it('prefers the numbers of an error over those of the dashboard', () => {
  const known = { meter: 'ai', needs: 3, have: 0, resetsAt } as const;
  const pools = toCreditPools({ quota: [quota('ai', 9)] }, { ownPlan: currentPlans.pro, known });
  expect(splitRun(rows(3), { ownPlan: currentPlans.pro, pools, meterOf: ai })).toMatchObject({
    now: [],
    shortage: known,
  });
});

it('is not limited before the quota is loaded, and on plans without a hard stop', () => {
  expect(toCreditPools(undefined, { ownPlan: currentPlans.pro })).toBeUndefined();
  expect(toCreditPools({ quota: [quota('shared', 0)] }, { ownPlan: currentPlans.enterprise })).toBeUndefined();
  expect(splitRun(rows(3), { ownPlan: currentPlans.pro, pools: undefined, meterOf: ai }).holds.size).toBe(0);
});
