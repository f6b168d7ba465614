import { sandbox } from '@uprez/contracts/policy/sandbox';
import { parseRecipe } from '@uprez/contracts/recipe/parse-recipe';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import { makePipeline } from '@uprez/imaging/pipeline/make-pipeline';
import { expect, it } from 'vitest';
import { fitToSandbox, replaceEngine } from './make-job-pipeline.ts';

const crisp = parseRecipe([
  ['detail', 'crisp'],
  ['engine', 'photo-fast'],
]);
const limits = { maxOutputPixels: 512_000_000, maxJobSeconds: 100_000, autoEngine: 'photo-fast' } as const;
const photo: Inspection = {
  ...{ format: 'jpeg', width: 100, height: 75, orientation: 1, channels: 3, space: 'rgb', isPalette: false },
  ...{ bitDepth: 8, hasAlpha: false, hasProfile: false, decodesWhole: false, frames: 1 },
};

it('leaves out crisp for the standard engine, and keeps it for others', () => {
  expect(replaceEngine(crisp, 'standard')).not.toHaveProperty('detail');
  const textures = { ...crisp, grain: 20, strength: 50 };
  expect(replaceEngine(textures, 'standard')).toMatchObject({ engine: 'standard', grain: 20 });
  for (const engine of ['standard', 'nearest'] as const)
    expect(replaceEngine(textures, engine)).not.toHaveProperty('strength');
  expect(replaceEngine(textures, 'nearest')).not.toHaveProperty('grain');
  expect(replaceEngine(textures, 'auto')).toMatchObject({ grain: 20, strength: 50, detail: 'crisp' });
  expect(replaceEngine(crisp, 'photo')).toMatchObject({ engine: 'photo', detail: 'crisp' });
});

it.each([
  [0.4, 'crisp'],
  [0.75, 'crisp'],
  [1, undefined],
  [2, undefined],
])('makes an accepted recipe of crisp for a sandbox image of %d times the limit', (share, detail) => {
  const inspection = { ...photo, width: share * sandbox.maxSide, height: share * sandbox.maxSide };
  const asked = makePipeline({ recipe: crisp, inspection, limits });
  if (!asked.ok) throw new Error(asked.rejection.detail);
  const { recipe } = fitToSandbox(crisp, asked.pipeline);
  const outcome = makePipeline({ recipe, inspection, limits });
  expect(outcome).toMatchObject({ ok: true });
  expect(recipe.detail).toBe(detail);
});
