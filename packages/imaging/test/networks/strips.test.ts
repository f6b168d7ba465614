import * as ort from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { makeRandom } from '../../src/calibrate/tile.ts';
import { makeStripModel } from '../../src/engine/strips/open-strips.ts';
import { makeChain, makeDenseNetwork, makeQuantizedChain, quantizeDenseNetwork } from '../support/random-networks.ts';

const factor = 4;
type Size = { width: number; height: number; stripRows: number };

const options = { intraOpNumThreads: 1, logSeverityLevel: 4 } as const;

/** Rows `from` to `until` of planes that are `width` wide and `height` high. */
function cutRows(planes: Float32Array, { from, until }: { from: number; until: number }, { width, height }: Size) {
  const rows = new Float32Array(3 * (until - from) * width);
  for (let c = 0; c < 3; c++)
    rows.set(planes.subarray((c * height + from) * width, (c * height + until) * width), c * (until - from) * width);
  return rows;
}

/** Largest difference between runs over the strips of a noisy image and one run over the whole image. Infinity for NaN. */
async function differ(model: Uint8Array, sizes: Size[], random: () => number): Promise<number[]> {
  const whole = await ort.InferenceSession.create(model, options);
  const strips = makeStripModel(model, 1);
  const { start } = await strips.open();
  const differences: number[] = [];
  for (const size of sizes) {
    const { width, height } = size;
    const planes = new Float32Array(3 * width * height).map(() => random());
    const data = new ort.Tensor('float32', planes, [1, 3, height, width]);
    const expected = (await whole.run({ data })).output?.data as Float32Array;
    // Most samples lie between the limits, where differences show.
    expect(expected.filter((value) => value > 0 && value < 1).length).toBeGreaterThan(expected.length / 2);
    const next = start({ size, readRows: async (range) => cutRows(planes, range, size), onRun: () => {} });
    let [row, worst] = [0, 0];
    for (let made = await next(); made; made = await next()) {
      const count = made.rows - made.first;
      const large = { width: width * factor, stripRows: 0 };
      const drawn = made.tensor.data as Float32Array;
      const found = cutRows(drawn, { from: made.first, until: made.rows }, { ...large, height: made.rows });
      const wanted = cutRows(expected, { from: row, until: row + count }, { ...large, height: height * factor });
      found.forEach((value, i) => {
        const difference = Math.abs(value - (wanted[i] as number));
        worst = Math.max(worst, Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference);
      });
      row += count;
    }
    expect(row).toBe(height * factor);
    differences.push(worst);
  }
  await Promise.all([whole.release(), strips.close()]);
  return differences;
}

/** Images with heights around multiples of the strip, of a single row and column, and random ones. */
const makeSizes = (random: () => number): Size[] => [
  { width: 9, height: 1, stripRows: 4 },
  { width: 1, height: 13, stripRows: 3 },
  { width: 7, height: 15, stripRows: 16 },
  { width: 12, height: 32, stripRows: 16 },
  { width: 12, height: 33, stripRows: 16 },
  { width: 5, height: 11, stripRows: 1 },
  ...Array.from({ length: 4 }, () => ({
    width: 1 + Math.floor(random() * 24),
    height: 1 + Math.floor(random() * 70),
    stripRows: 1 + Math.floor(random() * 20),
  })),
];

describe('a strip model', () => {
  it.each([1, 2, 3, 4])('returns the rows of one whole run for a chain, FP32, seed %d', async (seed) => {
    const random = makeRandom(seed);
    const model = makeChain(random, { layers: 1 + seed * 3, features: 4 * seed });
    expect(Math.max(...(await differ(model, makeSizes(random), random)))).toBeLessThanOrEqual(1e-5);
  });

  it.each([1, 2, 3])('returns the rows of one whole run for a chain, INT8, seed %d', async (seed) => {
    const random = makeRandom(100 + seed);
    const model = makeQuantizedChain(random, { layers: 2 + 3 * seed });
    expect(Math.max(...(await differ(model, makeSizes(random), random)))).toBe(0);
  });

  it.each([
    { seed: 1, groups: 1, features: 4, growth: 3, tail: 'shuffle' },
    { seed: 2, groups: 2, features: 8, growth: 4, tail: 'repeat' },
    { seed: 3, groups: 5, features: 6, growth: 2, tail: 'repeat' },
  ] as const)('returns the rows of one whole run for dense blocks, FP32, seed $seed', async ({ seed, ...shape }) => {
    const random = makeRandom(200 + seed);
    const model = makeDenseNetwork(random, shape);
    expect(Math.max(...(await differ(model, makeSizes(random), random)))).toBeLessThanOrEqual(1e-5);
  });

  it.each([
    { seed: 1, groups: 1, count: 1, features: 16, growth: 16, tail: 'shuffle' },
    { seed: 2, groups: 3, count: 2, features: 16, growth: 16, tail: 'repeat' },
    { seed: 3, groups: 5, count: 4, features: 16, growth: 16, tail: 'repeat' },
  ] as const)('returns the rows of one whole run for dense blocks, INT8, seed $seed', async ({ seed, ...shape }) => {
    const random = makeRandom(300 + seed);
    const model = quantizeDenseNetwork(random, makeDenseNetwork(random, shape), shape);
    expect(Math.max(...(await differ(model, makeSizes(random), random)))).toBe(0);
  });
});
