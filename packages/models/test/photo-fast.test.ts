import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modelsDirOfEnvironment } from '../src/config.ts';
import { sha256 } from '../src/files/sha256.ts';
import { locateModel } from '../src/locate-model.ts';
import { isModelId, models } from '../src/manifest.ts';
import { type Network, readNetwork } from '../src/ncnn/read-network.ts';
import { pullModel } from '../src/pull-model.ts';
import { receptiveRadius } from './receptive-radius.ts';
import { type Planes, runReference } from './reference-network.ts';

const facts = models['photo-fast'];
let modelsDir = '';
let network: Network;

// Copies cached weights of this checkout to avoid fetching 49 MB.
beforeAll(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'uprez-models-'));
  const weights = join(modelsDir, 'weights');
  await mkdir(weights);
  for (const { path } of [facts.param, facts.bin]) {
    await copyFile(join(modelsDirOfEnvironment(), 'weights', basename(path)), join(weights, basename(path))).catch(
      ignoreMissing,
    );
  }
  await pullModel({ modelsDir, id: 'photo-fast' });
  const read = (path: string) => readFile(join(weights, basename(path)));
  network = readNetwork({
    param: { file: facts.param.path, text: (await read(facts.param.path)).toString() },
    bin: { file: facts.bin.path, bytes: await read(facts.bin.path) },
  });
});
afterAll(() => rm(modelsDir, { recursive: true, force: true }));

const ignoreMissing = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error;
};

test('converts photo-fast with the pinned checksum and rejects a damaged file', async () => {
  const path = await locateModel(modelsDir, 'photo-fast');
  expect(path).toBe(join(modelsDir, 'photo-fast.onnx'));
  const bytes = await readFile(path);
  expect(bytes.length).toBe(facts.onnx.sizeBytes);
  expect(sha256(bytes)).toBe(facts.onnx.sha256);
  await writeFile(path, bytes.subarray(1));
  await expect(locateModel(modelsDir, 'photo-fast')).rejects.toThrow('npm run models:pull photo-fast');
  await pullModel({ modelsDir, id: 'photo-fast' });
  expect(await locateModel(modelsDir, 'photo-fast')).toBe(path);
});

test('throws an error with the command that fetches a missing model', async () => {
  await expect(locateModel(modelsDir, 'photo')).rejects.toThrow('npm run models:pull photo');
});

test('has the pinned radius of photo-fast', () => {
  expect(receptiveRadius(network)).toBe(facts.radius);
});

test('computes the committed reference image', async () => {
  const fixture = new URL('../../imaging/test/fixtures/photo-fast-16x16.json', import.meta.url);
  const { values, model } = JSON.parse(await readFile(fixture, 'utf8'));
  expect(model).toEqual({ id: 'photo-fast', binSha256: facts.bin.sha256, onnxSha256: facts.onnx.sha256 });
  const { samples } = runReference(network, fixtureImage());
  expect(samples.length).toBe(values.length);
  const worst = samples.reduce((most, value, i) => Math.max(most, Math.abs(value - values[i])), 0);
  expect(worst).toBeLessThan(1e-5);
});

test('isModelId returns true only for models of the manifest', () => {
  expect(Object.keys(models).every(isModelId)).toBe(true);
  expect(['toString', 'Photo', ''].some(isModelId)).toBe(false);
});

/** Creates gradients in red and green, and blocks of all sizes in blue. The fixture contains the same formula. */
function fixtureImage(): Planes {
  const side = 16;
  const samples = new Float32Array(3 * side * side);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      for (const [channel, level] of [17 * x, 17 * y, 17 * (x ^ y)].entries()) {
        samples[(channel * side + y) * side + x] = level / 255;
      }
    }
  }
  return { channels: 3, height: side, width: side, samples };
}
