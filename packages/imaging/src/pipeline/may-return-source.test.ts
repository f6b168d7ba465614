import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import { expect, it } from 'vitest';
import { makePipeline } from './make-pipeline.ts';

const photo: Inspection = {
  ...{ format: 'jpeg', width: 1_000, height: 750, orientation: 1, channels: 3, space: 'rgb', frames: 1 },
  ...{ isPalette: false, bitDepth: 8, hasAlpha: false, hasProfile: false, decodesWhole: false },
};
const limits = { maxOutputPixels: 512_000_000, maxJobSeconds: 100_000, autoEngine: 'photo-fast' } as const;
const outputOf = (recipe: Partial<Recipe>, source: Partial<Inspection>) => {
  const whole = { ...recipeDefaults, scaleFactor: 1, format: 'auto', ...recipe } as const;
  const outcome = makePipeline({ recipe: whole, inspection: { ...photo, ...source }, limits });
  if (!outcome.ok) throw new Error(outcome.rejection.detail);
  return outcome.pipeline.output;
};

it.each([
  ['at the same size', {}, {}],
  ['in the same format', { format: 'jpeg' }, {}],
  ['with all metadata and the location', { metadata: 'all', gps: true }, { format: 'avif' }],
  ['with its copyright, if the file has nothing else', { metadata: 'copyright' }, {}],
] as const)('may return the source of a job %s', (_, recipe, source) => {
  expect(outputOf(recipe, source).neverLarger).toBe(true);
});

it.each([
  ['that upscales', { scaleFactor: 2 }, {}],
  ['that shrinks', { scaleFactor: 0.5 }, {}],
  ['that crops', { scaleFactor: undefined, width: 1_000, height: 700, fit: 'cover' }, {}],
  ['with AI', { engine: 'photo' }, {}],
  ['in another format', { format: 'png' }, {}],
  ['whose metadata cannot be removed', {}, { format: 'avif' }],
  ['in a format that few programs read', {}, { format: 'heic' }],
  ['with another print resolution', { dpi: 300 }, {}],
  ['without the option', { neverLarger: false }, {}],
] as const)('never returns the source of a job %s', (_, recipe, source) => {
  expect(outputOf(recipe, source)).not.toHaveProperty('neverLarger');
});
