import { expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { insertChunks } from '../hostile/png-file.ts';
import { cicp } from '../support/color-files.ts';
import { decodeFile, encodeAs, toSharp } from '../support/image-files.ts';
import { deepen, type Image, makeImage, makePhoto, maxDifference, pickChannel } from '../support/images.ts';
import { processFile, toReadable } from '../support/run-job.ts';
import { openStubNetwork } from '../support/stub-network.ts';

const [width, height] = [40, 32];
const photo = makePhoto({ width, height });
const colorAt = (x: number, y: number) => [...photo.data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)];
const alphaAt = (x: number, y: number) => (x < 14 ? 0 : y < 10 ? 255 : 3 * x + 2 * y);
/** A texture with a height map in its alpha channel. A third of it is 0. */
const texture = makeImage({ width, height, channels: 4 }, (x, y) => [...colorAt(x, y), alphaAt(x, y)]);
const opaque = makeImage({ width, height, channels: 4 }, (x, y) => [...colorAt(x, y), 255]);
/** The photo, with an alpha of 0 everywhere. */
const hidden = makeImage({ width, height, channels: 4 }, (x, y) => [...colorAt(x, y), 0]);
const map = makeImage({ width, height, channels: 1 }, (x, y) => [alphaAt(x, y)]);

const withoutAlpha = ({ channels, data, ...size }: Image): Image => {
  const at = (x: number, y: number) => (y * size.width + x) * channels;
  return makeImage(size, (x, y) => [...data.subarray(at(x, y), at(x, y) + 3)]);
};

it.each([
  ['standard', 2],
  ['standard', 2.6],
  ['standard', 1],
  ['standard', 0.5],
  ['photo-fast', 2],
  ['photo-fast', 3],
  ['photo-fast', 0.5],
  ['nearest', 2],
] as const)('makes the same colors as without alpha, with %s at %dx', async (engine, scaleFactor) => {
  const network = await openStubNetwork();
  try {
    const options = { networks: { 'photo-fast': network } };
    const recipe = { engine, scaleFactor, format: 'png' } as const;
    const run = async (image: Image, alpha?: 'data') =>
      decodeFile(
        (await processFile(await encodeAs(image, 'png'), { ...recipe, ...(alpha && { alpha }) }, options)).result,
      );
    const [data, plain, usual] = [await run(texture, 'data'), await run(opaque, 'data'), await run(texture)];
    expect(maxDifference(withoutAlpha(data), withoutAlpha(plain))).toBe(0);
    // `nearest` never changes pixels, and no pixel changes at 1x.
    const isSame = engine === 'nearest' || scaleFactor === 1;
    expect(maxDifference(withoutAlpha(data), withoutAlpha(usual)) > 20).toBe(!isSame);
  } finally {
    await network.close();
  }
});

it.each([
  ['standard', 2],
  ['standard', 0.5],
] as const)('resizes alpha like a gray image, with %s at %dx', async (engine, scaleFactor) => {
  const recipe = { engine, scaleFactor, format: 'png' } as const;
  const { result, report } = await processFile(await encodeAs(texture, 'png'), { ...recipe, alpha: 'data' });
  const gray = await decodeFile((await processFile(await encodeAs(map, 'png'), recipe)).result);
  // The decoder shrinks gray images.
  expect(maxDifference(pickChannel(await decodeFile(result), 3), gray)).toBeLessThanOrEqual(scaleFactor < 1 ? 4 : 0);
  expect(report).toMatchObject({ alpha: 'data', notes: [] });
});

it.each(['png', 'webp', 'tiff', 'jxl'] as const)('keeps colors where alpha is 0 in %s', async (format) => {
  const recipe = { scaleFactor: 2, quality: 70, alpha: 'data' } as const;
  const file = await encodeAs(texture, 'png');
  const expected = await decodeFile((await processFile(file, { ...recipe, format: 'png' })).result);
  const { result, report } = await processFile(file, { ...recipe, format });
  expect(maxDifference(await decodeFile(await toReadable(result)), expected)).toBe(0);
  if (format === 'webp') expect(report.quality).toBe(null);
});

it('keeps colors with 16 bits and gray', async () => {
  const deep = await toSharp(deepen(texture)).png().toBuffer();
  const { result, report } = await processFile(deep, { scaleFactor: 1, format: 'tiff', alpha: 'data' });
  expect(report.bitDepth).toBe(16);
  expect(maxDifference(await decodeFile(result), texture)).toBe(0);
  const gray = makeImage({ width, height, channels: 2 }, (x, y) => [colorAt(x, y)[0] ?? 0, alphaAt(x, y)]);
  const made = await processFile(await encodeAs(gray, 'png'), { scaleFactor: 2, format: 'png', alpha: 'data' });
  const plain = makeImage({ width, height, channels: 1 }, (x, y) => [colorAt(x, y)[0] ?? 0]);
  const expected = await processFile(await encodeAs(plain, 'png'), { scaleFactor: 2, format: 'png' });
  expect(maxDifference(pickChannel(await decodeFile(made.result), 0), await decodeFile(expected.result))).toBe(0);
});

it('has no effect on an image without alpha', async () => {
  const file = await encodeAs(photo, 'png');
  const { report } = await processFile(file, { format: 'jpeg', alpha: 'data' });
  expect(report.alpha).toBeUndefined();
  expect(report.sha256).toBe((await processFile(file, { format: 'jpeg' })).report.sha256);
});

it('passes the check of the result if colors and alpha alternate', async () => {
  const checkered = makeImage({ width, height, channels: 4 }, (x, y) =>
    Array(3)
      .fill((x + y) % 2 ? 255 : 0)
      .concat((x + y) % 2 ? 0 : 255),
  );
  const file = await encodeAs(checkered, 'png');
  const { result } = await processFile(file, { scaleFactor: 0.5, format: 'png', alpha: 'data' });
  expect((await guardedSharp(result).stats()).channels.map(({ mean }) => Math.round(mean / 10))).toEqual([
    13, 13, 13, 13,
  ]);
});

it.each([
  ['sRGB', []],
  ['Display P3', [cicp(12, 13)]],
] as const)('measures structure and colors in %s as without alpha', async (_, chunks) => {
  const encode = async (image: Image) => insertChunks(await encodeAs(image, 'png'), [...chunks]);
  const [data, plain] = [
    await processFile(await encode(hidden), { format: 'png', alpha: 'data' }),
    await processFile(await encode(photo), { format: 'png' }),
  ];
  expect(data.report.fidelity).toEqual(plain.report.fidelity);
  expect(data.report.colorDifference).toEqual(plain.report.colorDifference);
  expect(data.report.fidelity?.structure).toBeLessThan(1);
});

it('chooses the engine for the content of colors where alpha is 0', async () => {
  const network = await openStubNetwork();
  const networks = { 'photo-fast': network, 'art-fast': network };
  // Hard edges between flat areas of two colors.
  const drawing = (alpha: number) =>
    makeImage({ width: 96, height: 96, channels: 4 }, (x, y) => [
      ...(((x >> 3) + (y >> 3)) % 2 ? [244, 194, 13] : [26, 63, 176]),
      alpha,
    ]);
  const engineFor = async (image: Image) =>
    (await processFile(await encodeAs(image, 'png'), { engine: 'auto', alpha: 'data', format: 'png' }, { networks }))
      .report.engine;
  try {
    expect(await engineFor(drawing(255))).toBe('art-fast');
    expect(await engineFor(drawing(0))).toBe('art-fast');
  } finally {
    await network.close();
  }
});
