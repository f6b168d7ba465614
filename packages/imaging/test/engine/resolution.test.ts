import { outputFormats } from '@uprez/contracts/policy/images/image-formats';
import { describe, expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { metadataNotes, readResolution } from '../../src/engine/metadata/select-metadata.ts';
import { inspect } from '../../src/inspect/inspect.ts';
import { makeBmpFile } from '../hostile/bmp-file.ts';
import { insertChunks, pngChunk } from '../hostile/png-file.ts';
import { encodeAs, toSharp } from '../support/image-files.ts';
import { makePhoto } from '../support/images.ts';
import { processFile } from '../support/run-job.ts';

const photo = makePhoto({ width: 40, height: 30 });
const holding = outputFormats.filter((format) => format !== 'gif');
const square = (dpi: number) => ({ x: dpi, y: dpi });

/** A JPEG whose JFIF segment has this unit (0 ratio, 1 inch, 2 centimeter) and density. */
async function makeJpeg(unit: number, x: number, y: number): Promise<Buffer> {
  const plain = await encodeAs(photo, 'jpeg');
  const jfif = Buffer.from(`\xff\xe0\0\x10JFIF\0\x01\x02${'\0'.repeat(7)}`, 'latin1');
  jfif[11] = unit;
  jfif.writeUInt16BE(x, 12);
  jfif.writeUInt16BE(y, 14);
  return Buffer.concat([plain.subarray(0, 2), jfif, plain.subarray(2)]);
}

/** EXIF data with a resolution. `unit`: 2 inch, 3 centimeter. */
function makeExif(unit: number, [x, y]: [number, number], isLittle: boolean): Buffer {
  const block = Buffer.alloc(66);
  const short = (value: number, at: number) =>
    isLittle ? block.writeUInt16LE(value, at) : block.writeUInt16BE(value, at);
  const long = (value: number, at: number) =>
    isLittle ? block.writeUInt32LE(value, at) : block.writeUInt32BE(value, at);
  block.write(isLittle ? 'II' : 'MM', 'latin1');
  short(42, 2);
  long(8, 4);
  short(3, 8);
  const entry = (i: number, [tag, type]: [number, number]) => {
    short(tag, 10 + 12 * i);
    short(type, 12 + 12 * i);
    long(1, 14 + 12 * i);
  };
  entry(0, [0x11a, 5]);
  entry(1, [0x11b, 5]);
  entry(2, [0x128, 3]);
  long(50, 18);
  long(58, 30);
  short(unit, 42);
  for (const [i, value] of [Math.round(x * 1000), 1000, Math.round(y * 1000), 1000].entries()) long(value, 50 + 4 * i);
  return block;
}

const withExif = (jpeg: Buffer, exif: Buffer) => {
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(exif.length + 8, 2);
  return Buffer.concat([jpeg.subarray(0, 20), head, Buffer.from('Exif\0\0', 'latin1'), exif, jpeg.subarray(20)]);
};

async function makePng(x: number, y: number, unit = 1): Promise<Buffer> {
  const data = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, unit]);
  data.writeUInt32BE(x, 0);
  data.writeUInt32BE(y, 4);
  const { data: raw } = photo;
  const plain = await guardedSharp(raw, { raw: { width: 40, height: 30, channels: 3 } })
    .png()
    .toBuffer();
  const at = plain.indexOf('pHYs') - 4;
  const bare = at > 0 ? Buffer.concat([plain.subarray(0, at), plain.subarray(at + 21)]) : plain;
  return insertChunks(bare, [pngChunk('pHYs', data)]);
}

async function makeBmp(x: number, y: number): Promise<Buffer> {
  const file = Buffer.from(makeBmpFile(photo, { bits: 24 }, ([r = 0, g = 0, b = 0]) => (r << 16) | (g << 8) | b));
  file.writeInt32LE(x, 38);
  file.writeInt32LE(y, 42);
  return file;
}

const tiff = (xres: number, yres: number, resolutionUnit: 'inch' | 'cm') =>
  toSharp(photo)
    .tiff({ xres: xres / 25.4, yres: yres / 25.4, resolutionUnit })
    .toBuffer();

const inputs: [string, () => Promise<Buffer>, { x: number; y: number }][] = [
  ['a JPEG per inch', () => makeJpeg(1, 300, 300), square(300)],
  ['a JPEG per centimeter', () => makeJpeg(2, 118, 118), { x: 299.72, y: 299.72 }],
  ['a JPEG that is not square', () => makeJpeg(1, 204, 98), { x: 204, y: 98 }],
  [
    'a JPEG with a ratio and EXIF',
    async () => withExif(await makeJpeg(0, 1, 1), makeExif(2, [240, 240], true)),
    square(240),
  ],
  [
    'a JPEG with EXIF per centimeter',
    async () => withExif(await makeJpeg(0, 1, 1), makeExif(3, [118.11, 47.244], false)),
    { x: 300, y: 120 },
  ],
  ['a PNG of 72 dpi', () => makePng(2_835, 2_835), square(72)],
  ['a PNG of 96 dpi', () => makePng(3_780, 3_780), square(96)],
  ['a PNG of 300 dpi', () => makePng(11_811, 11_811), square(300)],
  ['a PNG of 1200 dpi', () => makePng(47_244, 47_244), square(1_200)],
  ['a PNG that is not square', () => makePng(11_811, 5_906), { x: 300, y: 150 }],
  ['a TIFF per inch', () => tiff(300, 150, 'inch'), { x: 300, y: 150 }],
  ['a TIFF per centimeter', () => tiff(600, 600, 'cm'), square(600)],
  ['a BMP', () => makeBmp(11_811, 11_811), square(300)],
  ['a WebP', () => toSharp(photo).webp().withMetadata({ density: 200 }).toBuffer(), square(200)],
  ['an AVIF', () => toSharp(photo).avif({ effort: 0 }).withMetadata({ density: 150 }).toBuffer(), square(150)],
];

const read = async (file: Buffer) => readResolution(file, (await inspect(file)).format);
const base = { scaleFactor: 1, quality: 90 } as const;

describe('a print resolution', () => {
  it.each(inputs)('of %s is kept with all metadata', async (_, make, wanted) => {
    const file = await make();
    expect(await read(file)).toEqual(wanted);
    for (const format of ['jpeg', 'png', 'tiff'] as const) {
      const { result } = await processFile(file, { ...base, format, metadata: 'all' });
      const found = await read(result);
      expect(Math.abs((found?.x ?? 0) - wanted.x)).toBeLessThan(0.5);
      expect(Math.abs((found?.y ?? 0) - wanted.y)).toBeLessThan(0.5);
    }
  });

  it.each(holding)('is written to %s', async (format) => {
    const file = await makeJpeg(1, 240, 120);
    const formatOf = async (recipe: object) => read((await processFile(file, { ...base, format, ...recipe })).result);
    expect(await formatOf({ metadata: 'all' })).toEqual({ x: 240, y: 120 });
    expect(await formatOf({ metadata: 'copyright' })).toEqual({ x: 240, y: 120 });
    expect(await formatOf({ metadata: 'none', keepDpi: true })).toEqual({ x: 240, y: 120 });
    expect(await formatOf({ metadata: 'none', dpi: 300 })).toEqual(square(300));
    expect(await formatOf({ metadata: 'all', dpi: 1_200, scaleFactor: 2 })).toEqual(square(1_200));
    expect(await formatOf({ metadata: 'all', keepDpi: false })).not.toEqual({ x: 240, y: 120 });
    expect(await formatOf({ metadata: 'none' })).not.toEqual({ x: 240, y: 120 });
  });

  it('is written to both places of a JPEG', async () => {
    const { result } = await processFile(await makePng(11_811, 11_811), {
      ...base,
      format: 'jpeg',
      metadata: 'copyright',
    });
    expect([result[13], result.readUInt16BE(14), result.readUInt16BE(16)]).toEqual([1, 300, 300]);
    const { exif } = await guardedSharp(result).metadata();
    expect(exif?.includes(Buffer.from([0x1a, 1, 5, 0, 1, 0, 0, 0]))).toBe(true);
  });

  it('is written once to a PNG, also with a palette', async () => {
    for (const file of [
      await makeJpeg(1, 300, 300),
      await toSharp(photo).png({ palette: true, colors: 8 }).toBuffer(),
    ]) {
      const { result } = await processFile(file, { ...base, format: 'png', dpi: 150 });
      expect(result.toString('latin1').split('pHYs')).toHaveLength(2);
      expect(await read(result)).toEqual(square(150));
    }
  });

  it('is noted when the format has no place for it', async () => {
    const { report } = await processFile(await makeJpeg(1, 300, 300), { ...base, format: 'gif', dpi: 300 });
    expect(report.notes).toContain(metadataNotes.noResolution);
  });

  it('is ignored where it is only a ratio, or invalid', async () => {
    for (const file of [await makeJpeg(0, 1, 1), await makeJpeg(1, 0, 0), await makePng(2, 1, 0), await makeBmp(0, 0)])
      expect(await read(file)).toBeUndefined();
  });
});
