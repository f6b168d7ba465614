import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import { expect, it } from 'vitest';
import { makePipeline } from '../../pipeline/make-pipeline.ts';
import { planWork } from './plan-work.ts';

const source: Inspection = {
  ...{ width: 1_024, height: 1_024, orientation: 1, channels: 3, isPalette: false, bitDepth: 8, hasAlpha: false },
  ...{ format: 'jpeg', space: 'rgb', hasProfile: false, decodesWhole: false, frames: 1 },
};
const outcome = makePipeline({
  recipe: { ...recipeDefaults, engine: 'photo-fast', scaleFactor: 1.5 },
  inspection: source,
  limits: { maxOutputPixels: 512_000_000, maxJobSeconds: 100_000, autoEngine: 'photo-fast' },
});
if (!outcome.ok) throw new Error(outcome.rejection.detail);
const { pipeline } = outcome;

const blurred = { side: 256, across: 4, down: 4, scales: new Float32Array(16).fill(0.35), image: 0.35 };
const factorsFor = (size: { width: number; height: number }) =>
  planWork({ ...pipeline, output: { ...pipeline.output, ...size } }, blurred).map(({ part }) => part.factor);

it('processes images at a quarter of the output or more, on the side that is upscaled most', () => {
  expect(factorsFor({ width: 1_536, height: 1_536 })).toEqual([0.5]);
  expect(factorsFor({ width: 3_072, height: 1_536 })).toEqual([0.75]);
  expect(factorsFor({ width: 1_536, height: 3_072 })).toEqual([0.75]);
});
