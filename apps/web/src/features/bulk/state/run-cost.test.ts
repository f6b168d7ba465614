import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { expect, it } from 'vitest';
import type { Row } from './row.ts';
import { estimateRunCost } from './run-cost.ts';

const file = new File(['x'], 'a.jpg', { type: 'image/jpeg' });
const settings = { scaleFactor: 2, format: 'jpeg', quality: 95, engine: 'photo-fast' } as const;
const engines = { autoEngine: 'photo-fast', speed: { 'photo-fast': 100_000 } } as const;
const row = (id: string, side?: number): Row => ({
  ...{ id, name: 'a.jpg', relativePath: 'a.jpg', size: 1, file, status: 'pending', sent: 0, progress: 0 },
  ...(side && { imageSize: { width: side, height: side } }),
});
const settingsOf = ({ id }: Row) => (id === 's' ? { ...settings, engine: 'standard' as const } : settings);

it('counts the credits of each meter, or of the shared one', () => {
  const rows = [row('a', 500), row('b'), row('s', 500)];
  expect(estimateRunCost(rows, { ownPlan: currentPlans.pro, engines, settingsOf }).credits).toEqual([
    ['ai', 2],
    ['standard', 1],
  ]);
  expect(estimateRunCost(rows, { ownPlan: currentPlans.api_basic, engines, settingsOf }).credits).toEqual([
    ['shared', 3],
  ]);
  expect(estimateRunCost([row('s')], { ownPlan: currentPlans.pro, engines, settingsOf }).credits).toEqual([
    ['standard', 1],
  ]);
});

it('adds the processing times, and counts rows of unknown size as average ones', () => {
  const seconds = (rows: Row[]) =>
    estimateRunCost(rows, { ownPlan: currentPlans.pro, engines, settingsOf }).seconds ?? Number.NaN;
  const one = seconds([row('a', 500)]);
  expect(one).toBeGreaterThan(2.5);
  expect(seconds([row('a', 500), row('b', 500), row('c')])).toBeCloseTo(3 * one);
  expect(estimateRunCost([row('a')], { ownPlan: currentPlans.pro, engines, settingsOf }).seconds).toBeUndefined();
});
