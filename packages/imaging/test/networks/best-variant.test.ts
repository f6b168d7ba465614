import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import { sha256 } from '@uprez/models/files/sha256';
import { applyRecipe, quantizeChain } from '@uprez/models/onnx/apply-recipe';
import { readChain } from '@uprez/models/onnx/read-chain';
import { type ChainRecipe, type Recipe, recipeSchema } from '@uprez/models/onnx/recipe';
import { writeOnnx } from '@uprez/models/onnx/write-onnx';
import { writeQuantizedChain } from '@uprez/models/onnx/write-quantized-chain';
import { pullModel } from '@uprez/models/pull-model';
import { beforeAll, describe, expect, it } from 'vitest';
import { calibrateChain } from '../../src/calibrate/calibrate-chain.ts';
import { drawImage, drawnKinds } from '../../src/calibrate/draw-image.ts';
import { makeRandom } from '../../src/calibrate/tile.ts';
import { findRecipe, measurePsnrDb, openBestVariant, openVariantCache } from '../../src/engine/open-networks.ts';
import { openStripPool } from '../../src/engine/strips/threads/open-strip-pool.ts';
import { openNetwork } from '../../src/engine/upscaler/network.ts';
import { streamOf } from '../support/image-streams.ts';
import { makePhoto } from '../support/images.ts';
import { int8OnThisCpu } from '../support/int8-on-this-cpu.ts';

const threads = 1;

/** The recipe with its layers changed, and the checksum of what it then gives. */
function changed(
  fp32: Uint8Array,
  recipe: ChainRecipe,
  change: (layer: ChainRecipe['layers'][0], i: number) => void,
): Recipe {
  const copy = structuredClone(recipe);
  copy.layers.forEach(change);
  return { ...copy, int8Sha256: sha256(writeQuantizedChain(quantizeChain(readChain(fp32), copy))) };
}

describe('the recipe of photo-fast', () => {
  let fp32: Uint8Array;
  let recipe: ChainRecipe;
  beforeAll(async () => {
    fp32 = await readFile(await pullModel({ modelsDir: modelsDirOfEnvironment(), id: 'photo-fast' }));
    recipe = (await findRecipe('photo-fast')) as ChainRecipe;
  });

  it('returns bytes with the pinned checksum and rejects another network', () => {
    expect(sha256(applyRecipe(fp32, recipe))).toBe(recipe.int8Sha256);
    const other = Uint8Array.from(fp32);
    other[other.length >> 1] = (other[other.length >> 1] as number) ^ 1;
    expect(() => applyRecipe(other, recipe)).toThrow(/for the network/);
  });

  it('falls back to FP32 with a reason when the results differ', async () => {
    const wrong = changed(fp32, recipe, (layer, i) => {
      if (i === 20) layer.weightScales = layer.weightScales.map((scale) => scale * 1.5);
    });
    const network = await openBestVariant({ fp32, recipe: wrong, threads });
    expect(network).toMatchObject({ variant: 'fp32', reason: expect.stringMatching(/^INT8 has a PSNR of \d/) });
    expect(network.openFp32).toBeUndefined();
    await network.close();
  });

  it('falls back to FP32 when the checksum differs', async () => {
    const network = await openBestVariant({ fp32, recipe: { ...recipe, int8Sha256: '0'.repeat(64) }, threads });
    expect(network).toMatchObject({ variant: 'fp32', reason: expect.stringContaining('failed') });
    await network.close();
  });
});

/** A small network of the family: two convolutions, PReLU with slopes below 0 and above 1, skip, pixel shuffle. */
function makeSmallNetwork(): Uint8Array {
  const random = makeRandom(3);
  const [inner, outer] = [8, 48];
  const some = (length: number, size: number) => Float32Array.from({ length }, () => (random() - 0.5) * size);
  const shared = { kernel: 3, pad: 1, leak: undefined, kind: 'convolution' } as const;
  const first = { ...shared, name: 'c1', input: 'data', output: 'a', inChannels: 3, outChannels: inner } as const;
  const last = { ...shared, name: 'c2', input: 'b', output: 'c', inChannels: inner, outChannels: outer } as const;
  return writeOnnx({
    input: 'data',
    output: 'output',
    operations: [
      { ...first, weights: some(inner * 3 * 9, 2), bias: some(inner, 1) },
      { kind: 'prelu', name: 'p', input: 'a', output: 'b', slopes: some(inner, 3) },
      { ...last, weights: some(outer * inner * 9, 0.2), bias: some(outer, 0.1) },
      { kind: 'pixel-shuffle', name: 's', input: 'c', output: 'd', block: 4 },
      { kind: 'nearest', name: 'n', input: 'data', output: 'e', scale: 4 },
      { kind: 'weighted-sum', name: 'w', inputs: ['d', 'e'], output: 'output', coefficients: [1, 1] },
    ],
  });
}

describe('a small network', () => {
  it('has results close to FP32 after calibration', async () => {
    const fp32 = makeSmallNetwork();
    const tiles = drawnKinds.map((kind) => drawImage(kind, 48, 11));
    const made = await calibrateChain({ engine: 'small', fp32, tiles, places: 2000, onStep: () => {} });
    const recipe = recipeSchema.parse(JSON.parse(JSON.stringify(made)));
    const network = await openBestVariant({ fp32, recipe, threads });
    expect(network).toMatchObject({ variant: int8OnThisCpu, reason: expect.stringContaining('dB') });
    if (int8OnThisCpu === 'fp32') return network.close();
    const plain = await network.openFp32?.();
    expect(plain).toMatchObject({ variant: 'fp32' });
    const { planes, side } = drawImage('petals', 40, 12);
    const likeness = measurePsnrDb((await plain?.run(planes, side)) as Float32Array, await network.run(planes, side));
    expect(likeness).toBeGreaterThan(40);
    await plain?.close();
    await network.close();
  });

  it('reads the comparison from its cache, unless the file is of other variants or damaged', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'uprez-variants-test-'));
    const fp32 = makeSmallNetwork();
    const tiles = drawnKinds.map((kind) => drawImage(kind, 48, 11));
    const recipe = await calibrateChain({ engine: 'small', fp32, tiles, places: 2000, onStep: () => {} });
    const open = async (changes: { recipe?: Recipe; cacheFolder?: string } = {}) => {
      const options = { fp32, recipe, threads, cacheFolder: folder, ...changes };
      const network = await openBestVariant(options);
      await network.close();
      return network;
    };
    const first = await open();
    const [name = ''] = await readdir(folder);
    const path = join(folder, name);
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^int8-[\da-f]{16}\.json$/)]);
    const entry = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify({ ...entry, psnrDb: 12.3 }));
    expect(await open()).toMatchObject({ variant: 'fp32', reason: expect.stringContaining('12.3 dB') });
    await writeFile(path, JSON.stringify({ ...entry, psnrDb: 61.2 }));
    expect(await open()).toMatchObject({ variant: 'int8', reason: expect.stringContaining('61.2 dB') });
    for (const damaged of ['{', JSON.stringify({ ...entry, key: 'another', psnrDb: 12.3 })]) {
      await writeFile(path, damaged);
      expect(await open()).toMatchObject({ variant: first.variant, reason: first.reason });
      expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(entry);
    }
    expect(await open({ cacheFolder: join(folder, 'missing') })).toMatchObject({ variant: first.variant });
    await rm(folder, { recursive: true });
  });

  it('runs strips in FP32 after the cached comparison rejected INT8', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'uprez-variants-test-'));
    const fp32 = makeSmallNetwork();
    const tiles = drawnKinds.map((kind) => drawImage(kind, 48, 11));
    const recipe = await calibrateChain({ engine: 'small', fp32, tiles, places: 2000, onStep: () => {} });
    const cache = await openVariantCache({ folder, ...recipe });
    await cache.write(12.3);
    const strips = { pool: await openStripPool(1), isInt8Only: false };
    const network = await openBestVariant({ fp32, recipe, threads, strips, cacheFolder: folder });
    const strip = { rows: 16, border: 8, width: 66, lag: 1 };
    const events = { signal: new AbortController().signal, onRun: () => {}, onStrip: () => {} };
    const source = streamOf(makePhoto({ width: 50, height: 40 }));
    const large = network.strips?.upscale(source, { ...events, strip, inBands: false, dir: folder });
    expect((await large?.read(160))?.length).toBe(3 * 200 * 160);
    await network.close();
    await rm(folder, { recursive: true });
  });

  it('runs in FP32 without a recipe', async () => {
    const network = await openBestVariant({ fp32: makeSmallNetwork(), recipe: undefined, threads });
    expect(network).toMatchObject({ variant: 'fp32', reason: expect.stringContaining('no INT8 recipe') });
    await network.close();
    expect(await findRecipe('standard')).toBeUndefined();
    await expect(openNetwork(Uint8Array.of(1, 2, 3), threads)).rejects.toThrow();
  });
});
