import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { expect, it } from 'vitest';
import { previewPipeline } from './preview-pipeline.ts';

const preview = {
  mediaType: 'image/png',
  ownPlan: currentPlans.free,
  recipe: { ...recipeDefaults, scaleFactor: 4 },
} as const;

it('returns the output size and the estimated time', () => {
  const outcome = previewPipeline({ ...preview, size: { width: 1024, height: 768 } });
  if (!outcome.ok) throw new Error('refused');
  expect(outcome.pipeline.output).toMatchObject({ width: 4096, height: 3072 });
  expect(outcome.pipeline.estimate.seconds).toBeGreaterThan(0);
});

it('rejects a result above the plan limit and returns the largest factor', () => {
  const outcome = previewPipeline({ ...preview, size: { width: 4000, height: 4000 } });
  if (outcome.ok) throw new Error('accepted');
  expect(outcome.rejection.code).toBe('output_too_large');
  expect(outcome.rejection.meta.maxFactor).toBeCloseTo(3.53, 2);
});

it('accepts the same result on a larger plan', () => {
  const outcome = previewPipeline({ ...preview, ownPlan: currentPlans.api_pro, size: { width: 4000, height: 4000 } });
  expect(outcome.ok).toBe(true);
});

it('rejects a factor above the plan limit with the plan that allows it', () => {
  const large = { ...preview, size: { width: 100, height: 100 }, recipe: { ...preview.recipe, scaleFactor: 8 } };
  const outcome = previewPipeline(large);
  if (outcome.ok) throw new Error('accepted');
  expect(outcome.rejection).toMatchObject({ code: 'plan_feature', meta: { maxFactor: 4, unlockedBy: 'pro' } });
  expect(previewPipeline({ ...large, recipe: { ...large.recipe, engine: 'standard' } }).ok).toBe(true);
});
