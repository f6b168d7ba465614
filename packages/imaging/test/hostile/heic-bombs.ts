import { limits } from '@uprez/contracts/policy/limits';
import type { Bomb } from './bomb.ts';
import { box, type HeifItem, ispe, makeHeif, makeStill, tileOf, u8, u16, u32 } from './heif-file.ts';

/** Returns a still image that declares this size in its container; its stream has 64 x 64 pixels. */
const stillOf = (width: number, height: number) => makeStill({ width, height });

/** Returns a grid descriptor without the tiles that it needs. */
function gridOf(columns: number, rows: number, [width, height]: [number, number]): Buffer {
  const { config, data } = tileOf('photo');
  const grid = Buffer.concat([u8(0, 1, rows - 1, columns - 1), u32(width, height)]);
  const to = Array.from({ length: columns * rows }, () => 1);
  return makeHeif({
    items: [
      { type: 'hvc1', data, properties: [box('hvcC', config), ispe(64, 64)] },
      { type: 'grid', data: grid, properties: [ispe(width, height)], to: to.slice(0, 65_535) },
    ],
    primary: 2,
  });
}

/** An unsigned Exp-Golomb code (H.265, 9.2), as text. */
function golomb(value: number): string {
  const bits = (value + 1).toString(2);
  return '0'.repeat(bits.length - 1) + bits;
}

/** Returns a decoder configuration whose sequence parameters declare a 4:2:0 frame of this size. */
function configOf(width: number, height: number): Buffer {
  const profile = '1'.repeat(96);
  const bits = `${'0'.repeat(7)}1${profile}${golomb(0)}${golomb(1)}${golomb(width)}${golomb(height)}0${golomb(0)}1`;
  const bytes = (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
  const unit = Buffer.from([0x42, 0x01, ...bytes]);
  const header = Buffer.alloc(23);
  header[22] = 1;
  return Buffer.concat([header, u8(33), u16(1, unit.length), unit]);
}

/** Returns an image whose stream and container declare these sizes. */
function streamOf(stream: [number, number], [width, height]: [number, number]): Buffer {
  const properties = [box('hvcC', configOf(...stream)), ispe(width, height)];
  return makeHeif({ items: [{ type: 'hvc1', data: tileOf('photo').data, properties }] });
}

const nested = (depth: number): Buffer => (depth === 0 ? box('free') : box('iprp', nested(depth - 1)));
const many = (count: number, part: Buffer) => Buffer.alloc(count * part.length, part);

const tilesOf = 44;

/** Returns a grid of 1,936 tiles that all name one item. */
function gridOfOne(item: Partial<HeifItem>): Buffer {
  const { config, data } = tileOf('photo');
  const side = tilesOf * 64;
  return makeHeif({
    items: [
      { type: 'hvc1', data, properties: [box('hvcC', config), ispe(64, 64)], ...item },
      {
        type: 'grid',
        data: Buffer.concat([u8(0, 1, tilesOf - 1, tilesOf - 1), u32(side, side)]),
        properties: [ispe(side, side)],
        to: Array.from({ length: tilesOf ** 2 }, () => 1),
      },
    ],
    primary: 2,
  });
}

/** Returns a decoder configuration with this many equal sequence parameter sets. */
function configWith(count: number, bytes: number): Buffer {
  const config = configOf(64, 64);
  const unit = Buffer.concat([config.subarray(28), Buffer.alloc(bytes)]).subarray(0, bytes);
  const entry = Buffer.concat([u16(bytes), unit]);
  return Buffer.concat([config.subarray(0, 24), u16(count), Buffer.alloc(count * entry.length, entry)]);
}

/** HEIC files that declare too much data, and are rejected by their headers. */
export const heicBombs: Bomb[] = [
  { name: 'HEIC grid of 65,536 tiles', code: 'corrupt_image', make: () => gridOf(256, 256, [16_384, 16_384]) },
  {
    name: 'HEIC grid of few tiles and 900 megapixels',
    code: 'corrupt_image',
    make: () => gridOf(2, 2, [30_000, 30_000]),
  },
  { name: 'HEIC whose size is not that of its stream', code: 'corrupt_image', make: () => stillOf(30_000, 30_000) },
  {
    name: 'HEIC of 3,600 megapixels',
    code: 'too_many_pixels',
    make: () => streamOf([60_000, 60_000], [60_000, 60_000]),
  },
  {
    name: 'HEIC of 900 megapixels',
    code: 'too_many_pixels',
    make: () => streamOf([30_000, 30_000], [30_000, 30_000]),
  },
  {
    name: 'small HEIC with a stream of 900 megapixels',
    code: 'corrupt_image',
    make: () => streamOf([30_000, 30_000], [64, 64]),
  },
  { name: 'HEIC of the largest sides', code: 'corrupt_image', make: () => stillOf(2 ** 32 - 1, 2 ** 32 - 1) },
  {
    name: 'HEIC of 2,000 layers',
    code: 'corrupt_image',
    make: () => {
      const { config, data } = tileOf('photo');
      const canvas = Buffer.concat([u8(0, 0), u16(0, 0, 0, 0, 64, 64), Buffer.alloc(8_000)]);
      return makeHeif({
        items: [
          { type: 'hvc1', data, properties: [box('hvcC', config), ispe(64, 64)] },
          { type: 'iovl', data: canvas, properties: [], to: Array.from({ length: 2_000 }, () => 1) },
        ],
        primary: 2,
      });
    },
  },
  {
    name: 'HEIC on a canvas of 3,600 megapixels',
    code: 'side_too_long',
    make: () => {
      const { config, data } = tileOf('photo');
      const canvas = Buffer.concat([u8(0, 1), u16(0, 0, 0, 0), u32(60_000, 60_000, 0, 0)]);
      return makeHeif({
        items: [
          { type: 'hvc1', data, properties: [box('hvcC', config), ispe(64, 64)] },
          { type: 'iovl', data: canvas, properties: [], to: [1] },
        ],
        primary: 2,
      });
    },
  },
  {
    name: `HEIC of ${limits.heifItems + 1} items`,
    code: 'corrupt_image',
    make: () => {
      const item = { type: 'mime', data: Buffer.alloc(0), properties: [] };
      return makeHeif({ items: Array.from({ length: limits.heifItems + 1 }, () => item) });
    },
  },
  {
    name: `HEIC of ${limits.inspectionSteps.heic} boxes`,
    code: 'corrupt_image',
    make: () => Buffer.concat([makeStill().subarray(0, 24), many(limits.inspectionSteps.heic, box('free'))]),
  },
  {
    name: `HEIC with ${limits.inspectionSteps.heic} boxes in its header`,
    code: 'corrupt_image',
    make: () => makeHeif({ items: [], extra: [many(limits.inspectionSteps.heic, box('free'))] }),
  },
  {
    name: 'HEIC with boxes of 3,000 levels and no image',
    code: 'corrupt_image',
    make: () => makeHeif({ items: [], extra: [nested(3_000)] }),
  },
  {
    name: 'HEIC grid whose tiles share 40 MB of parameter sets',
    code: 'corrupt_image',
    make: () => gridOfOne({ properties: [box('hvcC', configWith(640, 65_535)), ispe(64, 64)] }),
  },
  {
    name: 'HEIC grid whose tiles are 60,000 times the same data',
    code: 'corrupt_image',
    make: () => gridOfOne({ copies: 60_000 }),
  },
  {
    name: 'HEIC grid whose tiles share 1 MB of data',
    code: 'corrupt_image',
    make: () => gridOfOne({ data: Buffer.alloc(1_000_000) }),
  },
  {
    name: 'HEIC animation of 4 billion frames',
    code: 'unsupported_format',
    make: () => {
      const table = box('stbl', box('stsz', u32(0, 1, 2 ** 32 - 1)), box('stts', u32(0, 1, 2 ** 32 - 1, 1)));
      const track = box('moov', box('trak', box('mdia', box('minf', table))));
      return Buffer.concat([box('ftyp', Buffer.from('hevc\0\0\0\0hevc', 'latin1')), track]);
    },
  },
  {
    name: 'HEIC that is made of itself',
    code: 'unsupported_format',
    make: () =>
      makeHeif({
        items: [
          { type: 'grid', data: Buffer.concat([u8(0, 0, 0, 0), u16(64, 64)]), properties: [ispe(64, 64)], to: [1] },
        ],
      }),
  },
];
