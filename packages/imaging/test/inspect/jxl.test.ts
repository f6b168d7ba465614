import { describe, expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { inspect, inspectRanges } from '../../src/inspect/inspect.ts';
import { box, u32 } from '../hostile/heif-file.ts';
import { jxlFixture } from '../hostile/jxl-file.ts';
import { decodeImage } from '../support/decode-image.ts';
import { type Image, makeImage, makePhoto, maxDifference, psnr } from '../support/images.ts';
import { pipelineFor, processFile, runJob } from '../support/run-job.ts';

const photo = makePhoto({ width: 64, height: 48 });
const at = ({ data, width }: Image, x: number, y: number) => [
  ...data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3),
];

describe('a JPEG XL image', () => {
  it.each([
    ['photo', photo, 90],
    ['lossy', photo, 35],
    ['grey', makePhoto({ width: 64, height: 48, channels: 1 }), 90],
  ] as const)('has the pixels of its source: %s.jxl', async (name, source, least) => {
    const { image, header } = await decodeImage(jxlFixture(name));
    expect(psnr(image, source)).toBeGreaterThan(least);
    expect([header.depth, header.icc]).toEqual(['uchar', undefined]);
  });

  it('keeps transparency', async () => {
    const { image } = await decodeImage(jxlFixture('alpha'));
    const alphaAt = (x: number) => image.data[(20 * 64 + x) * 4 + 3];
    expect([image.channels, alphaAt(2), alphaAt(61)]).toEqual([4, 255, 0]);
  });

  it('keeps 16 bits', async () => {
    const { image, header } = await decodeImage(jxlFixture('deep'));
    expect(header.depth).toBe('ushort');
    expect(psnr({ ...image, data: Uint8Array.from(image.data, (v) => v / 257) }, photo)).toBeGreaterThan(45);
  });

  it.each(['profile', 'primaries'] as const)('keeps its colors: %s.jxl', async (name) => {
    const file = jxlFixture(name);
    expect(await inspect(file)).toMatchObject({ hasProfile: true, orientation: 1 });
    const { result } = await processFile(file, { scaleFactor: 1, format: 'png' });
    const { data, info } = await guardedSharp(result).toColorspace('srgb').raw().toBuffer({ resolveWithObject: true });
    const shown = { width: info.width, height: info.height, channels: 3 as const, data: new Uint8Array(data) };
    expect(psnr(shown, photo)).toBeGreaterThan(name === 'profile' ? 40 : 32);
    expect((await guardedSharp(result).metadata()).icc?.length).toBeGreaterThan(300);
  });

  it('is upright, although its EXIF data names the orientation again', async () => {
    const file = jxlFixture('turned');
    expect(await inspect(file)).toMatchObject({ width: 48, height: 64, orientation: 7, decodesWhole: true });
    const { image } = await decodeImage(file, { metadata: 'all' });
    // The file was made from the unturned photo: orientation 7 mirrors it along the rising diagonal.
    const upright = makeImage({ width: 48, height: 64 }, (x, y) => at(photo, 63 - y, 47 - x));
    expect(psnr(image, upright)).toBeGreaterThan(35);
  });

  it('keeps its metadata as chosen', async () => {
    const read = async (metadata: 'none' | 'all') => {
      const { result } = await processFile(jxlFixture('turned'), { scaleFactor: 1, format: 'jpeg', metadata });
      const { exif, xmp, orientation = 1 } = await guardedSharp(result).metadata();
      return { exif: exif?.toString('latin1') ?? '', xmp: xmp?.toString() ?? '', orientation };
    };
    expect(await read('none')).toEqual({ exif: '', xmp: '', orientation: 1 });
    const kept = await read('all');
    expect(kept.exif).toMatch(/Ida.*Able|Able.*Ida/s);
    expect(kept).toMatchObject({ xmp: expect.stringContaining('Ida'), orientation: 1 });
  });

  it('is inspected without its pixels, behind boxes of any size', async () => {
    const signature = Buffer.concat([u32(12), Buffer.from('JXL \r\n\x87\n', 'latin1')]);
    const metadata = box('Exif', Buffer.alloc(1_000_000));
    const file = Buffer.concat([
      signature,
      box('ftyp', Buffer.from('jxl \0\0\0\0jxl ')),
      metadata,
      box('jxlc', jxlFixture('photo')),
    ]);
    let loaded = 0;
    const read = async (from: number, length: number) => {
      loaded += length;
      return file.subarray(from, from + length);
    };
    expect(await inspectRanges({ sizeBytes: file.length, read })).toEqual(await inspect(jxlFixture('photo')));
    expect(loaded).toBeLessThan(300_000);
    expect(maxDifference((await decodeImage(file)).image, photo)).toBe(0);
  });

  it('stops when it is canceled', async () => {
    const file = jxlFixture('photo');
    const abort = new AbortController();
    const work = runJob(file, await pipelineFor(file), { signal: abort.signal, onProgress: () => abort.abort() });
    await expect(work).rejects.toMatchObject({ code: 'cancelled' });
  });
});
