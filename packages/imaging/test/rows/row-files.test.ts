import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { findBlob, openVipsFile } from '../../src/engine/rows/row-file.ts';
import { stackFrames } from '../../src/engine/rows/row-stream.ts';
import { encodeTiffDirectories, openTiffRows, writeTiff } from '../../src/engine/rows/write-tiff.ts';
import { isGrayscale } from '../../src/engine/steps/palette-png.ts';
import { toSharp } from '../support/image-files.ts';
import { readAll, streamOf } from '../support/image-streams.ts';
import { deepen, type Image, makeImage, makePhoto, maxDifference } from '../support/images.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uprez-rows-test-'));
});
afterAll(() => rm(dir, { recursive: true }));

const withAlpha = (channels: 1 | 2 | 3 | 4) =>
  makeImage({ width: 37, height: 29, channels }, (x, y) => [x * 6, y * 8, x + y, 255 - x * 4].slice(0, channels));
const shapes = ([1, 2, 3, 4] as const).flatMap((channels) => [
  [channels, 8, withAlpha(channels)] as const,
  [channels, 16, deepen(withAlpha(channels))] as const,
]);
const same = (a: Image, b: Image) => maxDifference(a, b) === 0 && a.data.constructor === b.data.constructor;

async function readTiff(path: string): Promise<Image> {
  const { data, info } = await guardedSharp(path)
    .toColorspace('rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  const words = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
  return { width: info.width, height: info.height, channels: info.channels as Image['channels'], data: words };
}

describe('openVipsFile', () => {
  it.each(shapes)('reads files of sharp: %d channels of %d bits', async (_channels, _depth, image) => {
    const path = join(dir, 'decoded.v');
    await toSharp(image).toFile(path);
    const file = await openVipsFile(path);
    expect(same(await readAll(file.stream()), image)).toBe(true);
    expect(file.trailer).toContain('</root>');
    expect(findBlob(file.trailer, 'icc-profile-data')).toBeUndefined();
    const part = await readAll(file.stream(11, 7));
    expect(part.height).toBe(7);
    expect(part.data[0]).toBe(image.data[11 * 37 * image.channels]);
    await file.close();
  });

  it('rejects other files and other samples', async () => {
    const path = join(dir, 'other.v');
    await toSharp(makePhoto({ width: 8, height: 8 })).toFile(path);
    const bytes = await readFile(path);
    const float = 6;
    bytes.writeUInt32LE(float, 20);
    await writeFile(path, bytes);
    await expect(openVipsFile(path)).rejects.toThrow('not an 8- or 16-bit libvips image');
    await writeFile(path, 'short');
    await expect(openVipsFile(path)).rejects.toThrow('too short');
  });
});

describe('writeTiff', () => {
  it.each(shapes)(
    'writes files that are readable by row and by sharp: %d channels of %d bits',
    async (_channels, depth, image) => {
      const path = join(dir, 'pixels.tif');
      const told: number[] = [];
      await writeTiff(path, streamOf(image), { onRows: (rows) => told.push(rows) });
      expect(told.at(-1)).toBe(29);
      const rows = await openTiffRows(path, { width: 37, height: 29, channels: image.channels, depth });
      expect(same(await readAll(rows.stream()), image)).toBe(true);
      await rows.close();
      expect(await guardedSharp(path).metadata()).toMatchObject({
        ...{ width: 37, height: 29, channels: image.channels, hasAlpha: image.channels % 2 === 0 },
        depth: depth === 8 ? 'uchar' : 'ushort',
      });
      if (depth === 16 && image.channels > 2) expect(same(await readTiff(path), image)).toBe(true);
    },
  );

  it('writes frames and the profile', async () => {
    const decoded = join(dir, 'with-profile.v');
    const photo = makePhoto({ width: 20, height: 18 });
    await toSharp(photo).withIccProfile('p3').toFile(decoded);
    const source = await openVipsFile(decoded);
    const icc = findBlob(source.trailer, 'icc-profile-data');
    await source.close();
    const path = join(dir, 'frames.tif');
    const frames = [photo, withSize(photo), photo];
    const stacked = stackFrames(3, (frame) => streamOf(frames[frame] ?? photo));
    await writeTiff(path, stacked, { frames: 3, icc, onRows: () => {} });
    const header = await guardedSharp(path, { pages: -1 }).metadata();
    expect(header).toMatchObject({ pages: 3, pageHeight: 18, width: 20, height: 54 });
    expect(header.icc?.equals(icc ?? Buffer.alloc(0))).toBe(true);
    expect(header.density).toBe(72);
    expect((await guardedSharp(path).metadata()).icc?.equals(icc ?? Buffer.alloc(0))).toBe(true);
    const webp = await guardedSharp(path, { pages: -1 })
      .webp({ lossless: true, delay: [40, 50, 60] })
      .toBuffer();
    expect(await guardedSharp(webp, { pages: -1 }).metadata()).toMatchObject({ pages: 3, delay: [40, 50, 60] });
  });

  it('writes BigTIFF tables that sharp reads', async () => {
    const image = deepen(withAlpha(4));
    const [pixelOffset, bytes] = [16, Buffer.from(image.data.buffer)];
    const directoryAt = pixelOffset + bytes.length;
    const header = Buffer.from('49492b0008000000'.padEnd(32, '0'), 'hex');
    header.writeBigUInt64LE(BigInt(directoryAt), 8);
    const layout = { ...{ width: 37, height: 29, channels: 4, depth: 16 as const }, pixelOffset, directoryAt };
    const path = join(dir, 'big.tif');
    await writeFile(path, Buffer.concat([header, bytes, encodeTiffDirectories({ ...layout, isBig: true }, {})]));
    expect(same(await readTiff(path), image)).toBe(true);
  });
});

/** Another image of the same size, so that frames differ. */
const withSize = ({ width, height }: Image) => makeImage({ width, height }, (x) => [x * 10, 20, 30]);

describe('isGrayscale', () => {
  const grey = makeImage({ width: 40, height: 200 }, (x, y) => Array(3).fill((x * 3 + y) % 256));
  it.each([
    ['three equal channels', grey, true],
    ['one sample that differs in the last pixel', tinted(grey), false],
    ['one channel', makePhoto({ width: 20, height: 20, channels: 1 }), false],
    [
      'equal channels of 16 bits with alpha',
      deepen(makeImage({ width: 9, height: 9, channels: 4 }, (x) => [x, x, x, 9])),
      true,
    ],
  ])('%s', async (_name, image, expected) => {
    const path = join(dir, 'grey.v');
    await toSharp(image).toFile(path);
    const file = await openVipsFile(path);
    expect(await isGrayscale(file)).toBe(expected);
    await file.close();
  });
});

function tinted(image: Image): Image {
  const data = image.data.slice();
  data[data.length - 1] = (data[data.length - 1] ?? 0) ^ 1;
  return { ...image, data };
}
