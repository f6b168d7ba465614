import { readFile } from 'node:fs/promises';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import { sha256 } from '@uprez/models/files/sha256';
import type { Operation } from '@uprez/models/ncnn/read-network';
import { applyRecipe } from '@uprez/models/onnx/apply-recipe';
import { type DenseRecipe, recipeSchema } from '@uprez/models/onnx/recipe';
import { writeOnnx } from '@uprez/models/onnx/write-onnx';
import { pullModel } from '@uprez/models/pull-model';
import { expect, it } from 'vitest';
import { calibrateBlocks } from '../../src/calibrate/calibrate-blocks.ts';
import { drawImage, drawnKinds } from '../../src/calibrate/draw-image.ts';
import { openRandom } from '../../src/calibrate/tile.ts';
import { findRecipe, openBestVariant, psnrDb } from '../../src/engine/open-networks.ts';
import { int8OnThisCpu } from '../support/int8-on-this-cpu.ts';

const threads = 1;
const [features, growth, groups] = [16, 8, 2];

/** A small network of the family: two groups of three dense blocks, then sixteen pixels out of each. */
function makeDenseNetwork(): Uint8Array {
  const random = openRandom(3);
  const operations: Operation[] = [];
  const some = (length: number, size: number) => Float32Array.from({ length }, () => (random() - 0.5) * size);
  const convolve = (input: string, channels: [number, number], leak?: number): string => {
    const name = `c${operations.length}`;
    const [inChannels, outChannels] = channels;
    const [weights, bias] = [some(inChannels * outChannels * 9, 2 / Math.sqrt(inChannels)), some(outChannels, 0.2)];
    const ends = { name, input, output: `${name}.out`, inChannels, outChannels, kernel: 3, pad: 1 };
    operations.push({ kind: 'convolution', ...ends, weights, bias, leak });
    return ends.output;
  };
  const add = (inputs: [string, string], coefficients: [number, number]): string => {
    const name = `a${operations.length}`;
    operations.push({ kind: 'weighted-sum', name, inputs, coefficients, output: `${name}.out` });
    return `${name}.out`;
  };
  const join = (inputs: string[]): string => {
    const name = `j${operations.length}`;
    operations.push({ kind: 'concat', name, inputs: [...inputs], output: `${name}.out` });
    return `${name}.out`;
  };
  let trunk = convolve('data', [3, features]);
  for (let group = 0; group < groups; group++) {
    const start = trunk;
    for (let block = 0; block < 3; block++) {
      const seen = [trunk];
      for (let i = 0; i < 4; i++) seen.push(convolve(i ? join(seen) : trunk, [features + i * growth, growth], 0.2));
      trunk = add([convolve(join(seen), [features + 4 * growth, features]), trunk], [0.2, 1]);
    }
    trunk = add([trunk, start], [0.2, 1]);
  }
  const last = convolve(trunk, [features, 48]);
  operations.push({ kind: 'pixel-shuffle', name: 's', input: last, output: 'output', block: 4 });
  return writeOnnx({ input: 'data', output: 'output', operations });
}

it.each([1, 2])('calibrates %d of 2 groups of a small dense network with results close to FP32', async (count) => {
  const fp32 = makeDenseNetwork();
  const tiles = drawnKinds.map((kind) => drawImage(kind, 32, 11));
  const made = await calibrateBlocks({ engine: 'small', fp32, tiles, places: 1000, groups: count, onStep: () => {} });
  const recipe = recipeSchema.parse(JSON.parse(JSON.stringify(made)));
  const network = await openBestVariant({ fp32, recipe, threads });
  expect(network).toMatchObject({ variant: int8OnThisCpu, reason: expect.stringContaining('dB') });
  if (int8OnThisCpu === 'fp32') return network.close();
  const plain = await network.openFp32?.();
  const { planes, side } = drawImage('petals', 40, 12);
  const likeness = psnrDb((await plain?.run(planes, side)) as Float32Array, await network.run(planes, side));
  expect(likeness).toBeGreaterThan(40);
  expect(likeness).toBeLessThan(100);
  await plain?.close();
  await network.close();
});

it('throws when a recipe has more groups than the network', async () => {
  const fp32 = makeDenseNetwork();
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
