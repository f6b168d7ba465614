import { expect, it } from 'vitest';
import { checkPlanLimits } from './check-plan-limits.ts';
import { currentPlans, tiers } from './plans.ts';

it('allows each limit of each plan, rejects the next value, and returns the plan that allows it', () => {
  for (const [at, tier] of tiers.entries()) {
    const plan = currentPlans[tier];
    for (const by of ['ai', 'standard'] as const) {
      expect(checkPlanLimits(currentPlans[tier], { what: 'scale', by, factor: plan.maxFactor[by] })).toEqual({
        ok: true,
      });
      const value = plan.maxFactor[by] + 0.01;
      const unlockedBy = tiers.find((other) => currentPlans[other].maxFactor[by] >= value) ?? null;
      const refused = { ok: false, code: 'plan_feature', limit: plan.maxFactor[by], value, unlockedBy };
      expect(checkPlanLimits(currentPlans[tier], { what: 'scale', by, factor: value })).toEqual(refused);
      if (unlockedBy) expect(tiers.indexOf(unlockedBy)).toBeGreaterThan(at);
    }
    expect(checkPlanLimits(currentPlans[tier], { what: 'output', pixels: plan.maxOutputPixels })).toEqual({ ok: true });
    expect(checkPlanLimits(currentPlans[tier], { what: 'output', pixels: plan.maxOutputPixels + 1 })).toMatchObject({
      code: 'output_too_large',
    });
    expect(checkPlanLimits(currentPlans[tier], { what: 'time', seconds: plan.jobSeconds })).toEqual({ ok: true });
    expect(checkPlanLimits(currentPlans[tier], { what: 'time', seconds: plan.jobSeconds + 1 })).toMatchObject({
      ...{ code: 'job_too_long', limit: plan.jobSeconds },
      unlockedBy: tiers.find((other) => currentPlans[other].jobSeconds > plan.jobSeconds) ?? null,
    });
    expect(checkPlanLimits(currentPlans[tier], { what: 'bulk', files: plan.bulkFiles })).toEqual({ ok: true });
    expect(checkPlanLimits(currentPlans[tier], { what: 'bulk', files: plan.bulkFiles + 1 })).toMatchObject({
      limit: plan.bulkFiles,
    });
    expect(
      checkPlanLimits(currentPlans[tier], { what: 'upload', surface: 'web', bytes: plan.uploadBytes.web }),
    ).toEqual({
      ok: true,
    });
    expect(
      checkPlanLimits(currentPlans[tier], { what: 'upload', surface: 'web', bytes: plan.uploadBytes.web + 1 }).ok,
    ).toBe(false);
    expect(checkPlanLimits(currentPlans[tier], { what: 'store', bytes: plan.storageBytes })).toEqual({ ok: true });
    expect(checkPlanLimits(currentPlans[tier], { what: 'store', bytes: plan.storageBytes + 1 })).toMatchObject({
      code: 'storage_full',
    });
    expect(checkPlanLimits(currentPlans[tier], { what: 'api' }).ok).toBe(plan.api);
    expect(checkPlanLimits(currentPlans[tier], { what: 'api', sandbox: true })).toEqual({ ok: true });
  }
});

it('compares factors with two decimals', () => {
  expect(checkPlanLimits(currentPlans.free, { what: 'scale', by: 'ai', factor: 4.004 }).ok).toBe(true);
  expect(checkPlanLimits(currentPlans.free, { what: 'scale', by: 'ai', factor: 4.006 }).ok).toBe(false);
});

it('returns the allowed values, and null when no plan allows the request', () => {
  expect(checkPlanLimits(currentPlans.free, { what: 'format', format: 'avif' })).toEqual({
    ok: false,
    code: 'plan_feature',
    limit: 'png, jpeg, webp',
    value: 'avif',
    allowed: ['png', 'jpeg', 'webp'],
    unlockedBy: 'pro',
  });
  expect(checkPlanLimits(currentPlans.pro, { what: 'format', format: 'avif' })).toEqual({ ok: true });
  expect(checkPlanLimits(currentPlans.free, { what: 'bulk', files: 101 })).toMatchObject({ unlockedBy: null });
  expect(checkPlanLimits(currentPlans.api_basic, { what: 'webhooks' })).toMatchObject({
    code: 'plan_feature',
    unlockedBy: 'api_pro',
  });
  expect(checkPlanLimits(currentPlans.api_basic, { what: 'webhooks', sandbox: true })).toEqual({ ok: true });
  expect(checkPlanLimits(currentPlans.pro, { what: 'webhooks', sandbox: true }).ok).toBe(false);
  expect(checkPlanLimits(currentPlans.pro, { what: 'events' })).toMatchObject({
    code: 'plan_feature',
    unlockedBy: 'api_basic',
  });
  expect(checkPlanLimits(currentPlans.api_basic, { what: 'events' })).toEqual({ ok: true });
  expect(checkPlanLimits(currentPlans.free, { what: 'upload', surface: 'api', bytes: 1 })).toMatchObject({
    unlockedBy: 'api_basic',
  });
});
