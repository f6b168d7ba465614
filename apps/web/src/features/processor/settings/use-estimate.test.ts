import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { expect, it } from 'vitest';
import { estimateLocally } from './use-estimate.ts';

const asked = {
  recipe: { ...recipeDefaults, scaleFactor: 4 },
  size: { width: 320, height: 240 },
  mediaType: 'image/jpeg',
  ownPlan: currentPlans.free,
  engines: undefined,
} as const;

it('returns size, time, bytes, and cost', () => {
  const estimate = estimateLocally(asked);
  expect(estimate).toMatchObject({ width: 1280, height: 960, units: 1, meter: 'ai' });
  expect(estimate.seconds).toBeGreaterThan(0);
  expect(estimate.bytes).toBeGreaterThan(100_000);
  expect(estimate.limit).toBeUndefined();
});

it('uses the meter of the plan', () => {
  expect(estimateLocally({ ...asked, ownPlan: currentPlans.api_pro }).meter).toBe('shared');
  expect(estimateLocally({ ...asked, recipe: { ...asked.recipe, engine: 'standard' } }).meter).toBe('standard');
});

it('returns the exceeded limit, the largest factor, and the plan that allows more', () => {
  const { limit, width } = estimateLocally({ ...asked, size: { width: 4000, height: 4000 } });
  expect(width).toBe(16_000);
  expect(limit).toMatchObject({ code: 'output_too_large', limit: 200_000_000, value: 256_000_000 });
  expect(limit?.maxFactor).toBeCloseTo(3.53, 2);
});

it('estimates all frames when the output format is animated', () => {
  const bytes = (format: 'webp' | 'png', frames?: number) =>
    estimateLocally({ ...asked, mediaType: 'image/gif', frames, recipe: { ...asked.recipe, format } }).bytes ?? 0;
  expect(bytes('webp', 20)).toBeGreaterThan(10 * bytes('webp'));
  expect(bytes('png', 20)).toBe(bytes('png'));
});
