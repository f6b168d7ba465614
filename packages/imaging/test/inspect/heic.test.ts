import { describe, expect, it } from 'vitest';
import { readCodes } from '../../src/color/encoding.ts';
import { guardedSharp } from '../../src/decoders.ts';
import { makeProfile } from '../../src/engine/color/apply-color.ts';
import { describeHeif } from '../../src/heif/describe-heif.ts';
import { inspect, inspectRanges } from '../../src/inspect/inspect.ts';
import { makeExif } from '../hostile/exif-block.ts';
import {
  auxC,
  box,
  clap,
  type HeifItem,
  heicFixture,
  imir,
  irot,
  ispe,
  makeGrid,
  makeHeif,
  makeStill,
  tileOf,
  u8,
  u16,
  u32,
} from '../hostile/heif-file.ts';
import { decodeImage } from '../support/decode-image.ts';
import { type Image, makeImage, makePhoto, maxDifference, psnr } from '../support/images.ts';
import { processFile } from '../support/run-job.ts';

const size = { width: 64, height: 48 };
const photo = makePhoto(size);
const at = ({ data, width, channels }: Image, x: number, y: number) => [
  ...data.subarray((y * width + x) * channels, (y * width + x + 1) * channels),
];
/** Returns an image turned counterclockwise once. */
const turn = (image: Image) =>
  makeImage({ ...image, width: image.height, height: image.width }, (x, y) => at(image, image.width - 1 - y, x));
const mirror = (image: Image) => makeImage(image, (x, y) => at(image, image.width - 1 - x, y));
const flip = (image: Image) => makeImage(image, (x, y) => at(image, x, image.height - 1 - y));
const crop = (image: Image, [left, top, width, height]: [number, number, number, number]) =>
  makeImage({ ...image, width, height }, (x, y) => at(image, left + x, top + y));

describe('the pixels of a HEIC image', () => {
  it.each([
    ['photo', photo, 40],
    ['subsampled', photo, 28],
    ['grey', makePhoto({ ...size, channels: 1 }), 40],
  ] as const)('of %s.heic are those of its source', async (name, image, least) => {
    const { image: found, header, notes } = await decodeImage(heicFixture(name));
    expect(psnr(found, image)).toBeGreaterThan(least);
    expect([header.depth, notes]).toEqual(['uchar', []]);
  });

  it('have 16 bits when the file has 10', async () => {
    const file = heicFixture('photo-10');
    const { image, header, pipeline } = await decodeImage(file);
    expect([pipeline.source.bitDepth, header.depth]).toEqual([10, 'ushort']);
    expect(psnr({ ...image, data: Uint8Array.from(image.data, (v) => v / 257) }, photo)).toBeGreaterThan(40);
  });

  it('include transparency', async () => {
    const { image } = await decodeImage(heicFixture('alpha'));
    expect(image.channels).toBe(4);
    expect([at(image, 2, 20)[3], at(image, 61, 20)[3]]).toEqual([255, 0]);
  });

  const whole = async () => (await decodeImage(makeStill())).image;
  it.each<[string, Buffer[], (image: Image) => Image]>([
    ['irot 1', [irot(1)], turn],
    ['irot 2', [irot(2)], (image) => turn(turn(image))],
    ['irot 3', [irot(3)], (image) => turn(turn(turn(image)))],
    ['imir 0', [imir(0)], flip],
    ['imir 1', [imir(1)], mirror],
    ['irot 1, then imir 1', [irot(1), imir(1)], (image) => mirror(turn(image))],
    ['imir 1, then irot 1', [imir(1), irot(1)], (image) => turn(mirror(image))],
    ['irot 3, then imir 0', [irot(3), imir(0)], (image) => flip(turn(turn(turn(image))))],
    ['clap', [clap(20, 30, [-20, 10])], (image) => crop(image, [12, 22, 20, 30])],
    ['clap, then irot 1', [clap(20, 30, [-20, 10]), irot(1)], (image) => turn(crop(image, [12, 22, 20, 30]))],
    ['irot 1, then clap', [irot(1), clap(20, 30, [-20, 10])], (image) => crop(turn(image), [12, 22, 20, 30])],
    [
      'imir 1, irot 3, clap',
      [imir(1), irot(3), clap(20, 30, [7 * 2, 0])],
      (image) => crop(turn(turn(turn(mirror(image)))), [29, 17, 20, 30]),
    ],
  ])('are transformed in the order of the file: %s', async (_name, properties, transform) => {
    const { image, pipeline } = await decodeImage(makeStill({ properties }));
    const wanted = transform(await whole());
    expect([pipeline.source.width, pipeline.source.height]).toEqual([wanted.width, wanted.height]);
    expect(maxDifference(image, wanted)).toBe(0);
  });

  it('of a grid are those of its tiles, cut at the edges', async () => {
    const { image } = await decodeImage(makeGrid({ columns: 3, rows: 2, width: 150, height: 100 }));
    const tile = await whole();
    expect(
      maxDifference(
        image,
        makeImage({ width: 150, height: 100 }, (x, y) => at(tile, x % 64, y % 64)),
      ),
    ).toBe(0);
  });

  it('of layers are placed on a canvas', async () => {
    const { config, data } = tileOf('photo');
    const canvas = Buffer.concat([u8(0, 0), u16(65_535, 0, 0, 65_535), u16(100, 90), u16(65_526, 20)]);
    const file = makeHeif({
      items: [
        { type: 'hvc1', data, properties: [box('hvcC', config), ispe(64, 64)] },
        { type: 'iovl', data: canvas, properties: [], to: [1] },
      ],
      primary: 2,
    });
    const { image } = await decodeImage(file);
    const tile = await whole();
    const wanted = makeImage({ width: 100, height: 90 }, (x, y) =>
      x < 54 && y >= 20 && y < 84 ? at(tile, x + 10, y - 20) : [255, 0, 0],
    );
    expect(maxDifference(image, wanted)).toBe(0);
  });
});

describe('a HEIC file of several images', () => {
  /** An item with a tile of a fixture, 64 x 64 pixels. */
  const itemOf = (name: Parameters<typeof tileOf>[0], more: Partial<HeifItem> = {}): HeifItem => {
    const { config, data } = tileOf(name);
    const properties = [box('hvcC', config), ispe(64, 64), ...(more.properties ?? [])];
    return { type: 'hvc1', data, ...more, properties };
  };
  const decoded = async (items: HeifItem[], primary = 1, after: Buffer = Buffer.alloc(0)) =>
    (await decodeImage(Buffer.concat([makeHeif({ items, primary }), after]))).image;
  const alpha = auxC('urn:mpeg:hevc:2015:auxid:1');

  it('is read as its primary image, whatever its order and the animation after it', async () => {
    const burst = [itemOf('grey'), itemOf('subsampled', { properties: [irot(1)] }), itemOf('photo')];
    const animation = box('moov', Buffer.alloc(5_000));
    const primary = await decoded([itemOf('subsampled', { properties: [irot(1)] })]);
    expect(maxDifference(await decoded(burst, 2, animation), primary)).toBe(0);
  });

  it('is read without its thumbnail, depth map, and gain map', async () => {
    const others = ['urn:mpeg:hevc:2015:auxid:2', 'urn:com:apple:photo:2020:aux:hdrgainmap'].map((urn) =>
      itemOf('grey', { properties: [auxC(urn)], links: [['auxl', 1]] }),
    );
    const items = [itemOf('photo'), ...others, itemOf('subsampled', { links: [['thmb', 1]] })];
    expect(maxDifference(await decoded(items), await decoded([itemOf('photo')]))).toBe(0);
  });

  it('is divided by its transparency if its colors were multiplied', async () => {
    const opacity = itemOf('grey', { properties: [alpha], links: [['auxl', 1]] });
    const plain = await decoded([itemOf('photo'), opacity]);
    const divided = await decoded([itemOf('photo', { links: [['prem', 2]] }), opacity]);
    const wanted = makeImage({ ...plain, channels: 4 }, (x, y) => {
      const [r = 0, g = 0, b = 0, a = 0] = at(plain, x, y);
      const color = (v: number) => (a === 0 ? v : Math.min(255, Math.round((v * 255) / a)));
      return [color(r), color(g), color(b), a];
    });
    expect(maxDifference(divided, plain)).toBeGreaterThan(50);
    expect(maxDifference(divided, wanted)).toBe(0);
  });
});

it('keeps the EXIF data of a HEIC image as chosen, but ignores its orientation', async () => {
  const { config, data } = tileOf('photo');
  const exif = Buffer.concat([u32(0), makeExif({ artist: 'Ida', copyright: 'Able' })]);
  const file = makeHeif({
    items: [
      { type: 'hvc1', data, properties: [box('hvcC', config), ispe(64, 64)] },
      { type: 'Exif', data: exif, properties: [], to: [1] },
    ],
  });
  expect(await inspect(file)).toMatchObject({ orientation: 1 });
  const read = async (metadata: 'none' | 'all') => {
    const { result } = await processFile(file, { scaleFactor: 1, format: 'jpeg', metadata });
    return (await guardedSharp(result).metadata()).exif?.toString('latin1') ?? '';
  };
  expect(await read('none')).toBe('');
  const kept = await read('all');
  expect(kept).toMatch(/Ida.*Able/s);
  expect(kept).not.toMatch(/SECRET(PLACE|MAKERNOTE|THUMBNAIL)/);
});

describe('the header of a HEIC image', () => {
  it('is read without the pixels', async () => {
    const file = makeGrid({ columns: 3, rows: 2, width: 150, height: 100, properties: [irot(1)] });
    const reads: number[] = [];
    const read = async (from: number, length: number) => {
      reads.push(length);
      return file.subarray(from, from + length);
    };
    expect(await inspectRanges({ sizeBytes: file.length, read })).toEqual(await inspect(file));
    expect(await inspect(file)).toMatchObject({ width: 100, height: 150, orientation: 8, channels: 3, bitDepth: 8 });
  });

  it('tells the colors', async () => {
    const nclx = (primaries: number, transfer: number) =>
      box('colr', Buffer.from('nclx', 'latin1'), u16(primaries, transfer, 6), u8(128));
    expect(await inspect(makeStill({ properties: [nclx(1, 13)] }))).toMatchObject({ hasProfile: false });
    const file = makeStill({ properties: [nclx(12, 13)] });
    expect(await inspect(file)).toMatchObject({ hasProfile: true });
    const { colors } = describeHeif(file, () => true);
    const { header } = await decodeImage(file);
    const encoding = colors.codePoints && readCodes(colors.codePoints, { usesCameraCurve: false });
    expect(header.icc).toEqual(encoding && makeProfile(encoding));
  });
});
