import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Strip } from '@uprez/models/streaming/row-ranges';
import * as ort from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { makeRandom } from '../../src/calibrate/tile.ts';
import { makeStripModel } from '../../src/engine/strips/open-strips.ts';
import { makeFilePass } from '../../src/engine/strips/passed-columns.ts';
import type { StripNetwork } from '../../src/engine/strips/strip-network.ts';
import { makeChain, makeDenseNetwork, makeQuantizedChain, quantizeDenseNetwork } from '../support/random-networks.ts';

const factor = 4;
type Size = { width: number; height: number; stripRows: number; ends: number[] };

const options = { intraOpNumThreads: 1, logSeverityLevel: 4 } as const;

/** Copy a region of planes. */
function cutOut(
  planes: Float32Array,
  width: number,
  { left, top, right, bottom }: { left: number; top: number; right: number; bottom: number },
): Float32Array {
  const height = planes.length / 3 / width;
  const [wide, high] = [right - left, bottom - top];
  const cut = new Float32Array(3 * wide * high);
  for (let c = 0; c < 3; c++)
    for (let y = 0; y < high; y++) {
      const start = (c * height + top + y) * width;
      cut.set(planes.subarray(start + left, start + right), (c * high + y) * wide);
    }
  return cut;
}

/** Run all bands over an image. Returns the output, which is NaN where no band returned it. */
async function runBands(network: StripNetwork, planes: Float32Array, { width, height, stripRows, ends }: Size) {
  const dir = await mkdtemp(join(tmpdir(), 'uprez-bands-'));
  const wide = factor * width;
  const drawn = new Float32Array(3 * wide * factor * height).fill(Number.NaN);
  const at = [0, ...ends, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i <= ends.length; i++) {
    const strip = (from: number): Strip => ({ height: width, before: at[from] ?? 0, now: at[from + 1] ?? 0 });
    const band = { columns: strip(i), next: strip(i + 1), pass: makeFilePass(dir), part: 0 };
    const { input, output } = network.measure(band);
    const next = network.start({
      ...{ size: { width, height, stripRows, band }, onRun: () => {} },
      readRows: async ({ from, until }) =>
        cutOut(planes, width, { left: input.from, top: from, right: input.until, bottom: until }),
    });
    let row = 0;
    for (let made = await next(); made; made = await next()) {
      const columns = made.tensor.dims[3] as number;
      const first = columns - (output.until - output.from);
      const data = made.tensor.data as Float32Array;
      const rows = made.rows - made.first;
      const part = cutOut(data, columns, { left: first, top: made.first, right: columns, bottom: made.rows });
      const each = columns - first;
      for (let c = 0; c < 3; c++)
        for (let y = 0; y < rows; y++)
          drawn.set(
            part.subarray((c * rows + y) * each, (c * rows + y + 1) * each),
            (c * factor * height + row + y) * wide + output.from,
          );
      row += rows;
    }
    expect(row).toBe(height * factor);
  }
  await rm(dir, { recursive: true });
  return drawn;
}

/** Largest difference between runs over the bands of a noisy image and one run over the whole image. Infinity for NaN. */
async function differ(model: Uint8Array, sizes: Size[], random: () => number): Promise<number> {
  const whole = await ort.InferenceSession.create(model, options);
  const strips = makeStripModel(model, 1);
  const network = await strips.open({ inBands: true });
  let worst = 0;
  for (const size of sizes) {
    const planes = new Float32Array(3 * size.width * size.height).map(() => random());
    const data = new ort.Tensor('float32', planes, [1, 3, size.height, size.width]);
    const expected = (await whole.run({ data })).output?.data as Float32Array;
    expect(expected.filter((value) => value > 0 && value < 1).length).toBeGreaterThan(expected.length / 2);
    const drawn = await runBands(network, planes, size);
    drawn.forEach((value, i) => {
      const difference = Math.abs(value - (expected[i] as number));
      worst = Math.max(worst, Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference);
    });
  }
  await Promise.all([whole.release(), strips.close()]);
  return worst;
}

const between = (random: () => number, from: number, until: number) => from + Math.floor(random() * (until - from));

/** One band, bands narrower than the field of view of every network, bands without output, and random ones. */
const makeSizes = (random: () => number): Size[] => [
  { width: 9, height: 5, stripRows: 4, ends: [] },
  { width: 1, height: 3, stripRows: 4, ends: [1] },
  { width: 30, height: 21, stripRows: 4, ends: [1, 2, 7, 8] },
  { width: 24, height: 16, stripRows: 16, ends: [12, 24, 30] },
  ...Array.from({ length: 2 }, () => {
    const width = between(random, 1, 120);
    return {
      ...{ width, height: between(random, 1, 40), stripRows: between(random, 1, 20) },
      ends: Array.from({ length: 3 }, () => between(random, 1, width + 40)).sort((a, b) => a - b),
    };
  }),
];

describe('a strip model in bands', () => {
  it.each([1, 4])('returns the image of one whole run for a chain, FP32, seed %d', async (seed) => {
    const random = makeRandom(seed);
    const model = makeChain(random, { layers: 1 + seed * 3, features: 4 * seed });
    expect(await differ(model, makeSizes(random), random)).toBeLessThanOrEqual(1e-5);
  });

  it.each([1, 3])('returns the image of one whole run for a chain, INT8, seed %d', async (seed) => {
    const random = makeRandom(100 + seed);
    const model = makeQuantizedChain(random, { layers: 2 + 3 * seed });
    expect(await differ(model, makeSizes(random), random)).toBe(0);
  });

  it.each([
    { seed: 2, groups: 2, features: 8, growth: 4, tail: 'repeat' },
    { seed: 3, groups: 5, features: 6, growth: 2, tail: 'repeat' },
  ] as const)('returns the image of one whole run for dense blocks, FP32, seed $seed', async ({ seed, ...shape }) => {
    const random = makeRandom(200 + seed);
    const model = makeDenseNetwork(random, shape);
    expect(await differ(model, makeSizes(random), random)).toBeLessThanOrEqual(1e-5);
  });

  it.each([
    { seed: 1, groups: 1, count: 1, features: 16, growth: 16, tail: 'shuffle' },
    { seed: 2, groups: 3, count: 2, features: 16, growth: 16, tail: 'repeat' },
    { seed: 3, groups: 5, count: 4, features: 16, growth: 16, tail: 'repeat' },
  ] as const)('returns the image of one whole run for dense blocks, INT8, seed $seed', async ({ seed, ...shape }) => {
    const random = makeRandom(300 + seed);
    const model = quantizeDenseNetwork(random, makeDenseNetwork(random, shape), shape);
    expect(await differ(model, makeSizes(random), random)).toBe(0);
  });
});
