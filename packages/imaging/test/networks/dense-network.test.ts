import { readFile } from 'node:fs/promises';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import { sha256 } from '@uprez/models/files/sha256';
import { applyRecipe } from '@uprez/models/onnx/apply-recipe';
import { type DenseRecipe, recipeSchema } from '@uprez/models/onnx/recipe';
import { pullModel } from '@uprez/models/pull-model';
import { expect, it } from 'vitest';
import { calibrateBlocks } from '../../src/calibrate/calibrate-blocks.ts';
import { drawImage, drawnKinds } from '../../src/calibrate/draw-image.ts';
import { makeRandom } from '../../src/calibrate/tile.ts';
import { findRecipe, measurePsnrDb, openBestVariant } from '../../src/engine/open-networks.ts';
import { int8OnThisCpu } from '../support/int8-on-this-cpu.ts';
import { makeDenseNetwork } from '../support/random-networks.ts';

const threads = 1;
/** A small network of the family: two groups of three dense blocks, then sixteen pixels out of each. */
const makeSmallNetwork = () => makeDenseNetwork(makeRandom(3), { groups: 2, features: 16, growth: 8, tail: 'shuffle' });

it.each([1, 2])('calibrates %d of 2 groups of a small dense network with results close to FP32', async (count) => {
  const fp32 = makeSmallNetwork();
  const tiles = drawnKinds.map((kind) => drawImage(kind, 32, 11));
  const made = await calibrateBlocks({ engine: 'small', fp32, tiles, places: 1000, groups: count, onStep: () => {} });
  const recipe = recipeSchema.parse(JSON.parse(JSON.stringify(made)));
  const network = await openBestVariant({ fp32, recipe, threads });
  expect(network.reason).toContain('dB');
  // Where sums may overflow, those of this network need not.
  if (int8OnThisCpu === 'int8') expect(network.variant).toBe('int8');
  if (network.variant === 'fp32') return network.close();
  const plain = await network.openFp32?.();
  const { planes, side } = drawImage('petals', 40, 12);
  const likeness = measurePsnrDb((await plain?.run(planes, side)) as Float32Array, await network.run(planes, side));
  expect(likeness).toBeGreaterThan(40);
  expect(likeness).toBeLessThan(100);
  await plain?.close();
  await network.close();
});

it('throws when a recipe has more groups than the network', async () => {
  const fp32 = makeSmallNetwork();
  const tiles = [drawImage('petals', 32, 11)];
  const made = await calibrateBlocks({ engine: 'small', fp32, tiles, places: 100, groups: 2, onStep: () => {} });
  const longer: DenseRecipe = { ...made, groups: [...made.groups, ...made.groups] };
  expect(() => applyRecipe(fp32, longer)).toThrow(/a block too many/);
});

it('returns bytes with the pinned checksum for photo', async () => {
  const fp32 = await readFile(await pullModel({ modelsDir: modelsDirOfEnvironment(), id: 'photo' }));
  const recipe = await findRecipe('photo');
  if (!recipe) throw new Error('photo has no recipe');
  expect(sha256(applyRecipe(fp32, recipe))).toBe(recipe.int8Sha256);
});
