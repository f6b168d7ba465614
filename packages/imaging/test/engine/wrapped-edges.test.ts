import { expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { decodeFile, encodeAs, toSharp } from '../support/image-files.ts';
import { deepen, type Image, makeImage, maxDifference } from '../support/images.ts';
import { processFile } from '../support/run-job.ts';
import { openStubNetwork } from '../support/stub-network.ts';

type Options = { width?: number; height?: number; channels?: Image['channels'] };

/** A seamless texture of waves with whole periods, and noise that has the same statistics everywhere. */
function makeTexture({ width = 44, height = 36, channels = 3 }: Options = {}): Image {
  let bits = 7;
  const noise = Array.from({ length: width * height }, () => {
    bits = (Math.imul(bits, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (bits >>> 16) % 9;
  });
  return makeImage({ width, height, channels }, (x, y) => {
    const [u, v] = [(2 * Math.PI * x) / width, (2 * Math.PI * y) / height];
    const wave = 50 * Math.sin(3 * u + v) + 40 * Math.cos(2 * v - u + 1) + (noise[y * width + x] ?? 0);
    const samples = [125 + wave, 120 - wave / 2, 130 + 30 * Math.sin(u + 2 * v + 2)];
    const alpha = 170 + 80 * Math.sin(2 * u - v + 0.7);
    return channels % 2 === 0 ? [...samples.slice(0, channels - 1), alpha] : samples;
  });
}

/**
 * Returns how large the differences of neighbors across the seams of the tiled image are, relative to all others. About
 * 1 means that the seams can't be found. `side`: side of the blocks that a network or a format repeats pixels in. Only
 * differences between blocks are compared.
 */
function seamOf({ width, height, channels, data }: Image, side = 1): number {
  const at = (x: number, y: number) => ((y % height) * width + (x % width)) * channels;
  const [seam, inside] = [
    { sum: 0, count: 0 },
    { sum: 0, count: 0 },
  ];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (const [dx, dy] of [
        [1, 0],
        [0, 1],
      ] as const) {
        if ((x * dx + y * dy + 1) % side !== 0) continue;
        const group = x + dx === width || y + dy === height ? seam : inside;
        for (let c = 0; c < channels; c++)
          group.sum += Math.abs((data[at(x + dx, y + dy) + c] ?? 0) - (data[at(x, y) + c] ?? 0));
        group.count += channels;
      }
  return seam.sum / seam.count / (inside.sum / inside.count);
}

/** Maximum of `seamOf` for a result without visible seams. */
const seamless = 1.2;

const doubled = async (file: Buffer): Promise<Image> => {
  const { width, height, channels, data } = await decodeFile(file);
  return makeImage({ width: 2 * width, height: 2 * height, channels }, (x, y) => {
    const at = ((y % height) * width + (x % width)) * channels;
    return [...data.subarray(at, at + channels)];
  });
};

it.each([
  ['standard', 2, 3],
  ['standard', 2.3, 3],
  ['standard', 3, 1],
  ['standard', 2, 4],
  ['photo-fast', 2, 3],
  ['photo-fast', 4, 1],
  ['photo-fast', 2, 4],
] as const)('tiles the result of %s at %dx with %d channels without seams', async (engine, scaleFactor, channels) => {
  const texture = makeTexture({ channels });
  expect(seamOf(texture)).toBeLessThan(seamless);
  const network = await openStubNetwork();
  try {
    const file = await encodeAs(texture, 'png');
    const options = { networks: { 'photo-fast': network } };
    const run = (edges?: 'wrap') =>
      processFile(file, { engine, scaleFactor, format: 'png', ...(edges && { edges }) }, options);
    const [wrapped, clamped] = [await run('wrap'), await run()];
    const result = await decodeFile(wrapped.result);
    const side = engine === 'standard' ? 1 : scaleFactor;
    expect(seamOf(result, side)).toBeLessThan(seamless);
    expect(seamOf(await decodeFile(clamped.result), side)).toBeGreaterThan(seamless);
    expect(result.width).toBe(Math.round(texture.width * scaleFactor));
    expect(wrapped.report.edges).toBe('wrap');
    expect(clamped.report.edges).toBeUndefined();
  } finally {
    await network.close();
  }
});

it.each([
  ['standard', 2, 3],
  ['standard', 0.5, 3],
  ['standard', 0.25, 4],
  ['photo-fast', 2, 3],
  ['photo-fast', 3, 4],
  ['photo-fast', 4, 4],
  ['photo-fast', 0.5, 4],
  ['photo-fast', 9, 1],
] as const)(
  'makes the same result of a tiled texture, tiled, with %s at %dx and %d channels',
  async (engine, scaleFactor, channels) => {
    const network = await openStubNetwork();
    try {
      // A multiple of the side of a block, so that the colors of all tiles are matched alike.
      const file = await encodeAs(makeTexture({ width: 48, height: 32, channels }), 'png');
      const large = await toSharp(await doubled(file))
        .png()
        .toBuffer();
      const recipe = { engine, scaleFactor, format: 'png', edges: 'wrap' } as const;
      const options = { networks: { 'photo-fast': network } };
      const { result } = await processFile(file, recipe, options);
      const whole = await decodeFile((await processFile(large, recipe, options)).result);
      // Positions in the larger image have other rounding errors.
      expect(maxDifference(await doubled(result), whole)).toBeLessThanOrEqual(1);
      const { result: clamped } = await processFile(file, { ...recipe, edges: 'clamp' }, options);
      expect(maxDifference(await doubled(clamped), whole)).toBeGreaterThan(1);
    } finally {
      await network.close();
    }
  },
);

it('keeps seams closed with 16 bits, with film grain, and in the frames of an animation', async () => {
  const deep = await toSharp(deepen(makeTexture())).png().toBuffer();
  const { result, report } = await processFile(deep, { scaleFactor: 2, edges: 'wrap' });
  expect(report.bitDepth).toBe(16);
  expect(seamOf(await decodeFile(result))).toBeLessThan(seamless);
  const flat = makeImage({ width: 60, height: 60 }, () => [128, 128, 128]);
  const grained = await processFile(await encodeAs(flat, 'png'), { scaleFactor: 4, grain: 100, edges: 'wrap' });
  expect(seamOf(await decodeFile(grained.result))).toBeLessThan(seamless);
  const frame = makeTexture({ width: 40, height: 30, channels: 4 });
  const stack = makeImage({ width: 40, height: 60, channels: 4 }, (x, y) => {
    const at = ((y % 30) * 40 + x) * 4;
    return y < 30 ? [...frame.data.subarray(at, at + 4)] : [40, 200, 90, 255];
  });
  const animation = await guardedSharp(stack.data, { raw: { width: 40, height: 60, channels: 4, pageHeight: 30 } })
    .webp({ lossless: true, exact: true, delay: [50, 50] })
    .toBuffer();
  // Data makes WebP lossless. Otherwise, its chroma is interpolated up to the edge of the image.
  const moving = await processFile(animation, { scaleFactor: 2, format: 'webp', alpha: 'data', edges: 'wrap' });
  const first = await guardedSharp(moving.result, { page: 0 }).png().toBuffer();
  expect(seamOf(await decodeFile(first))).toBeLessThan(seamless);
});

it('processes textures that are smaller than the margin', async () => {
  const tiny = makeTexture({ width: 5, height: 3 });
  const { result } = await processFile(await encodeAs(tiny, 'png'), { scaleFactor: 4, edges: 'wrap' });
  expect(await decodeFile(result)).toMatchObject({ width: 20, height: 12 });
  const large = await toSharp(await doubled(await encodeAs(tiny, 'png')))
    .png()
    .toBuffer();
  const whole = await processFile(large, { scaleFactor: 4, edges: 'wrap' });
  expect(maxDifference(await doubled(result), await decodeFile(whole.result))).toBeLessThanOrEqual(1);
});
