import { expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { encodeNotes } from '../../src/engine/steps/encode.ts';
import { decodeFile, encodeAs, toSharp } from '../support/image-files.ts';
import { deepen, makeImage, maxDifference } from '../support/images.ts';
import { processFile } from '../support/run-job.ts';
import { openStubNetwork } from '../support/stub-network.ts';
import { doubled, makeTexture, seamless, seamOf } from '../support/textures.ts';

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
      const file = await encodeAs(makeTexture({ width: 48, height: 32, channels, noise: 41 }), 'png');
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
      expect(maxDifference(await doubled(clamped), whole)).toBeGreaterThan(4);
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
  // Data makes WebP lossless.
  const moving = await processFile(animation, { scaleFactor: 2, format: 'webp', alpha: 'data', edges: 'wrap' });
  const first = await guardedSharp(moving.result, { page: 0 }).png().toBuffer();
  expect(seamOf(await decodeFile(first))).toBeLessThan(seamless);
  expect(moving.report.notes).toEqual([]);
});

it('notes that lossy formats end at the edges, because a seamless image has seams in them, too', async () => {
  const texture = makeTexture({ width: 80, height: 60 });
  const exact = await toSharp(texture).webp({ quality: 95 }).toBuffer();
  expect(seamOf(await decodeFile(exact))).toBeGreaterThan(1.8);
  const file = await encodeAs(texture, 'png');
  const notes = async (recipe: Parameters<typeof processFile>[1]) =>
    (await processFile(file, { scaleFactor: 1, ...recipe })).report.notes;
  for (const format of ['webp', 'jpeg', 'avif'] as const)
    expect(await notes({ format, edges: 'wrap' })).toEqual([encodeNotes.seams]);
  expect(await notes({ format: 'webp' })).toEqual([]);
  expect(await notes({ format: 'png', edges: 'wrap' })).toEqual([]);
  expect(await notes({ format: 'jxl', quality: 100, edges: 'wrap' })).toEqual([]);
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
