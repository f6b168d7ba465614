import { expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { decodeFile, encodeAs, toSharp } from '../support/image-files.ts';
import { deepen, type Image, makeImage } from '../support/images.ts';
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
 * Returns how much larger the second differences across the seams of the tiled image are than all others, on average.
 * 1 means that the seams can't be found.
 */
function seamOf({ width, height, channels, data }: Image): number {
  const at = (x: number, y: number, c: number) =>
    data[((y % height) * width + (x % width)) * channels + c] as number;
  const bend = (x: number, y: number, c: number, [dx, dy]: readonly [number, number]) =>
    Math.abs(at(x + 3 * dx, y + 3 * dy, c) - at(x + 2 * dx, y + 2 * dy, c) - at(x + dx, y + dy, c) + at(x, y, c));
  const [seam, inside] = [{ sum: 0, count: 0 }, { sum: 0, count: 0 }];
  for (const step of [[1, 0], [0, 1]] as const)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const left = step[0] ? width - x : height - y;
        const group = left === 2 ? seam : inside;
        for (let c = 0; c < channels; c++) group.sum += bend(x, y, c, step);
        group.count += channels;
      }
  return seam.sum / seam.count / (inside.sum / inside.count);
}

/** Maximum of `seamOf` for a result without visible seams. The textures themselves are between 0.9 and 1.1. */
const seamless = 1.25;

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
  ['standard', 0.5, 3],
  ['standard', 0.37, 4],
  ['photo-fast', 2, 3],
  ['photo-fast', 2.7, 3],
  ['photo-fast', 4, 4],
  ['photo-fast', 9, 1],
  ['photo-fast', 0.6, 4],
] as const)('tiles the result of %s at %dx with %d channels without seams', async (engine, scaleFactor, channels) => {
  const texture = makeTexture({ channels });
  expect(seamOf(texture)).toBeLessThan(1.1);
  const network = await openStubNetwork();
  try {
    const file = await encodeAs(texture, 'png');
    const options = { networks: { 'photo-fast': network } };
    const run = (edges?: 'wrap') =>
      processFile(file, { engine, scaleFactor, format: 'png', ...(edges && { edges }) }, options);
    const [wrapped, clamped] = [await run('wrap'), await run()];
    const result = await decodeFile(wrapped.result);
    expect(seamOf(result)).toBeLessThan(seamless);
    expect(seamOf(result)).toBeLessThan(seamOf(await decodeFile(clamped.result)));
    expect(result.width).toBe(Math.round(texture.width * scaleFactor));
    expect(wrapped.report.edges).toBe('wrap');
    expect(clamped.report.edges).toBeUndefined();
  } finally {
    await network.close();
  }
});

it.each([
  ['standard', 2],
  ['photo-fast', 2],
  ['photo-fast', 3],
  ['standard', 0.5],
] as const)('makes the same result of a tiled texture, tiled, with %s at %dx', async (engine, scaleFactor) => {
  const network = await openStubNetwork();
  try {
    // A multiple of the side of a block, so that the colors of all tiles are matched alike.
    const file = await encodeAs(makeTexture({ width: 48, height: 32 }), 'png');
    const large = await toSharp(await doubled(file)).png().toBuffer();
    const recipe = { engine, scaleFactor, format: 'png', edges: 'wrap' } as const;
    const options = { networks: { 'photo-fast': network } };
    const { result } = await processFile(file, recipe, options);
    const whole = await decodeFile((await processFile(large, recipe, options)).result);
    expect(await doubled(result)).toEqual(whole);
  } finally {
    await network.close();
  }
});

it('keeps seams closed with 16 bits, with film grain, and in the frames of an animation', async () => {
  const deep = await toSharp(deepen(makeTexture())).png().toBuffer();
  const { result, report } = await processFile(deep, { scaleFactor: 2, edges: 'wrap' });
  expect(report.bitDepth).toBe(16);
  expect(seamOf(await decodeFile(result))).toBeLessThan(seamless);
  const flat = makeImage({ width: 60, height: 60 }, () => [128, 128, 128]);
  const grained = await processFile(await encodeAs(flat, 'png'), { scaleFactor: 4, grain: 100, edges: 'wrap' });
  expect(seamOf(await decodeFile(grained.result))).toBeLessThan(seamless);
  const frame = makeTexture({ width: 40, height: 30 });
  const stack = makeImage({ width: 40, height: 60 }, (x, y) => {
    const at = ((y % 30) * 40 + x) * 3;
    return y < 30 ? [...frame.data.subarray(at, at + 3)] : [40, 200, 90];
  });
  const animation = await guardedSharp(stack.data, { raw: { width: 40, height: 60, channels: 3, pageHeight: 30 } })
    .webp({ lossless: true, delay: [50, 50] })
    .toBuffer();
  const moving = await processFile(animation, { scaleFactor: 2, format: 'webp', quality: 100, edges: 'wrap' });
  const first = await guardedSharp(moving.result, { page: 0 }).png().toBuffer();
  expect(seamOf(await decodeFile(first))).toBeLessThan(seamless);
});

it('processes textures that are smaller than the margin', async () => {
  const tiny = makeTexture({ width: 5, height: 3 });
  const { result } = await processFile(await encodeAs(tiny, 'png'), { scaleFactor: 4, edges: 'wrap' });
  expect(await decodeFile(result)).toMatchObject({ width: 20, height: 12 });
  const large = await toSharp(await doubled(await encodeAs(tiny, 'png'))).png().toBuffer();
  const whole = await processFile(large, { scaleFactor: 4, edges: 'wrap' });
  expect(await doubled(result)).toEqual(await decodeFile(whole.result));
});
