import { expect, it, onTestFinished } from 'vitest';
import { checkPlanLimits } from './check-plan-limits.ts';
import { formerPlans, type Plan, planOf } from './plan-versions.ts';
import { currentPlans, tiers } from './plans.ts';

const current = currentPlans.pro;
const former: Plan = { ...current, version: current.version - 1, price: 5, maxFactor: { ai: 6, standard: 8 } };
const other: Plan = { ...former, version: current.version - 2, price: 4 };

function listFormer() {
  formerPlans.pro = [former, other];
  onTestFinished(() => {
    delete formerPlans.pro;
  });
}
const proOf = (planVersion: number | null) => planOf({ tier: 'pro', planVersion });

it('returns the version that an account bought', () => {
  listFormer();
  expect(proOf(former.version)).toBe(former);
  expect(proOf(other.version)).toBe(other);
  expect(proOf(current.version)).toBe(current);
});

it('returns the current version without a bought one, for one that is not listed, and for another plan', () => {
  listFormer();
  expect(proOf(null)).toBe(current);
  expect(proOf(current.version + 1)).toBe(current);
  expect(planOf({ tier: 'api_basic', planVersion: former.version })).toBe(currentPlans.api_basic);
});

it('offers the plan itself where its current version allows more', () => {
  expect(checkPlanLimits(former, { what: 'scale', by: 'ai', factor: 7 })).toMatchObject({
    ok: false,
    limit: 6,
    unlockedBy: 'pro',
  });
  expect(checkPlanLimits(current, { what: 'scale', by: 'ai', factor: 7 })).toEqual({ ok: true });
});

it('lists each version of a plan once, and sells the newest', () => {
  for (const tier of tiers) {
    const versions = (formerPlans[tier] ?? []).map(({ version }) => version);
    expect(new Set(versions).size).toBe(versions.length);
    expect(Math.max(0, ...versions)).toBeLessThan(currentPlans[tier].version);
  }
});
