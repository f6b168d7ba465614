import { describe, expect, it } from 'vitest';
import { fromLinear } from '../../src/color/encoding.ts';
import { guardedSharp } from '../../src/decoders.ts';
import { readEncoding } from '../../src/engine/steps/measure-colors.ts';
import { inspect } from '../../src/inspect/inspect.ts';
import { insertChunks, pngChunk } from '../hostile/png-file.ts';
import { makeTiffFile } from '../hostile/tiff-file.ts';
import { decodeImage } from '../support/decode-image.ts';
import { decodeFile, toSharp } from '../support/image-files.ts';
import { deepen, makeImage, makePhoto, maxDifference, psnr } from '../support/images.ts';
import { segment } from '../support/metadata-blocks.ts';

const photo = makePhoto({ width: 60, height: 44 });
const grey = makePhoto({ width: 60, height: 44, channels: 1 });
/** Samples of a file as they are stored, whatever its profile says. */
const stored = (file: Buffer) => guardedSharp(file, { ignoreIcc: true }).raw().toBuffer();

describe('a profile', () => {
  it('is kept with unchanged samples', async () => {
    const file = await toSharp(photo).withIccProfile('p3').png().toBuffer();
    expect(await inspect(file)).toMatchObject({ hasProfile: true, space: 'rgb' });
    const { image, header, notes } = await decodeImage(file);
    expect(header.icc).toEqual((await guardedSharp(file).metadata()).icc);
    expect(Buffer.from(image.data)).toEqual(await stored(file));
    expect(notes).toEqual([]);
  });

  it('is kept with 16 bits, and when they become 8', async () => {
    const file = await toSharp(deepen(photo)).withIccProfile('p3').png().toBuffer();
    const { icc } = await guardedSharp(file).metadata();
    for (const format of ['png', 'jpeg'] as const) {
      const { header, image } = await decodeImage(file, { format });
      expect(header.icc).toEqual(icc);
      const shift = format === 'png' ? 8 : 0;
      const difference = (await stored(file)).map((v, i) => Math.abs(v - ((image.data[i] ?? 0) >> shift)));
      expect(Math.max(...difference)).toBeLessThanOrEqual(1);
    }
  });

  it('is converted to sRGB, with a note, when the output supports no profile', async () => {
    const file = await toSharp(photo).withIccProfile('p3').png().toBuffer();
    const { image, header, notes } = await decodeImage(file, { format: 'gif' });
    expect(header.hasProfile).toBe(false);
    expect(psnr(image, photo)).toBeGreaterThan(40);
    expect(notes).toEqual([
      "The colors were converted to sRGB because the output format doesn't support color profiles.",
    ]);
  });

  it('is removed, with a note, when it is damaged', async () => {
    const name = Buffer.from('broken\0\0', 'latin1');
    const file = await toSharp(photo).withIccProfile('srgb').tiff({ compression: 'none' }).toBuffer();
    const at = file.indexOf('acsp');
    expect(at).toBeGreaterThan(0);
    file.write('xxxx', at, 'latin1');
    const { image, header, notes } = await decodeImage(file);
    expect(maxDifference(image, photo)).toBe(0);
    expect(header.hasProfile).toBe(false);
    expect(notes).toEqual(['The color profile is damaged or unsupported and was removed.']);
    // What libpng does not take for a profile at all is no profile.
    const png = insertChunks(await toSharp(photo).png().toBuffer(), [pngChunk('iCCP', name)]);
    expect(await inspect(png).catch(({ code }) => code)).toSatisfy(
      (seen) => seen === 'corrupt_image' || seen.hasProfile === false,
    );
  });

  it('of a color space is removed from a gray image', async () => {
    const color = await toSharp(photo).withIccProfile('srgb').jpeg().toBuffer();
    const start = color.indexOf('ICC_PROFILE') - 4;
    const segment = color.subarray(start, start + 2 + color.readUInt16BE(start + 2));
    const plain = await toSharp(grey).jpeg({ quality: 98 }).toBuffer();
    const file = Buffer.concat([plain.subarray(0, 2), segment, plain.subarray(2)]);
    expect(await inspect(file)).toMatchObject({ space: 'grey', hasProfile: true });
    const { header, image, notes } = await decodeImage(file);
    expect(notes).toHaveLength(1);
    expect(header.hasProfile).toBe(false);
    expect(psnr(image, grey)).toBeGreaterThan(40);
    expect(await readEncoding(file, 'jpeg')).toBeUndefined();
  });
});

/** The smallest ICC profile of greys: a gamma of 2.2 as its only tag, filled up to `sizeBytes`. */
function makeGreyProfile(sizeBytes = 160): Buffer {
  const icc = Buffer.alloc(sizeBytes);
  icc.writeUInt32BE(sizeBytes, 0);
  icc.writeUInt32BE(0x02400000, 8);
  icc.write('mntrGRAYXYZ ', 12, 'latin1');
  icc.write('acsp', 36, 'latin1');
  icc.writeUInt32BE(1, 128);
  icc.write('kTRC', 132, 'latin1');
  icc.writeUInt32BE(144, 136);
  icc.writeUInt32BE(14, 140);
  icc.write('curv', 144, 'latin1');
  icc.writeUInt32BE(1, 152);
  icc.writeUInt16BE(Math.round(2.2 * 256), 156);
  return icc;
}

describe('a gray profile', () => {
  it('is applied to a JPEG with extra bytes between segments', async () => {
    const plain = await toSharp(grey).jpeg().toBuffer();
    const profile = segment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), makeGreyProfile()]));
    const { notes } = await decodeImage(
      Buffer.concat([plain.subarray(0, 2), profile, Buffer.alloc(3), plain.subarray(2)]),
    );
    expect(notes).toEqual([]);
  });

  const withProfile = (icc: Buffer) =>
    makeTiffFile({
      ...{ width: 60, height: 44, photometric: 1, samples: 1, bits: 8, data: Uint8Array.from(grey.data) },
      entries: [[34_675, 7, [...icc]]],
    });

  it('is applied, and gray stays one channel', async () => {
    const { image, header, notes } = await decodeImage(withProfile(makeGreyProfile()));
    expect(header.icc).toBeUndefined();
    const shown = (sample: number) => Math.round(255 * fromLinear((sample / 255) ** (563 / 256)));
    expect(maxDifference(image, { ...grey, data: grey.data.map(shown) })).toBe(0);
    expect(notes).toEqual([]);
  });

  it('is removed when it is too large', async () => {
    const { header, image, notes } = await decodeImage(withProfile(makeGreyProfile(9 * 1024 * 1024)));
    expect(header.hasProfile).toBe(false);
    expect(maxDifference(image, grey)).toBe(0);
    expect(notes).toHaveLength(1);
  });
});

describe('EXIF, XMP and IPTC', () => {
  it('are kept', async () => {
    const file = await toSharp(photo)
      .withExif({ IFD0: { Copyright: 'someone' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
      .jpeg()
      .toBuffer();
    const { header } = await decodeImage(file);
    expect(header.exif?.includes('someone')).toBe(true);
    expect(header.xmpAsString).toContain('xmpmeta');
  });
});

describe('CMYK', () => {
  it.each(['jpeg', 'tiff'] as const)('in a %s is converted to sRGB', async (format) => {
    const file = await toSharp(photo)
      .toColorspace('cmyk')
      .toFormat(format, { quality: 100, compression: 'lzw' })
      .toBuffer();
    expect(await inspect(file)).toMatchObject({ format, channels: 3, space: 'cmyk', hasAlpha: false });
    const { image, header, notes } = await decodeImage(file);
    expect(notes).toEqual(['The colors were converted from CMYK to sRGB.']);
    expect(header).toMatchObject({ space: 'srgb', hasProfile: false });
    expect(image.channels).toBe(3);
    // The way through CMYK costs colors that ink cannot show.
    expect(psnr(image, photo)).toBeGreaterThan(18);
  });

  it('is converted by its own profile', async () => {
    const flat = makeImage({ width: 8, height: 8 }, () => [150, 110, 90]);
    const file = await toSharp(flat).withIccProfile('cmyk').tiff({ compression: 'lzw' }).toBuffer();
    expect(await inspect(file)).toMatchObject({ space: 'cmyk', hasProfile: true });
    const { image, header } = await decodeImage(file);
    expect(header.hasProfile).toBe(false);
    // What sharp makes of the same file when it is asked for nothing but sRGB.
    expect(maxDifference(image, await decodeFile(file))).toBeLessThanOrEqual(1);
  });
});

/** Known pairs: sRGB and CIE Lab of white point D50 (Bruce Lindbloom's color calculator, Bradford adaptation). */
const labColors = [
  { lab: [100, 0, 0], rgb: [255, 255, 255] },
  { lab: [0, 0, 0], rgb: [0, 0, 0] },
  { lab: [53.585, 0, 0], rgb: [128, 128, 128] },
  { lab: [54.29, 80.81, 69.89], rgb: [255, 0, 0] },
  { lab: [87.82, -79.29, 80.99], rgb: [0, 255, 0] },
  { lab: [29.57, 68.3, -112.03], rgb: [0, 0, 255] },
];

describe('Lab in a TIFF', () => {
  it.each([8, 16] as const)('of %s bits is converted to sRGB', async (bits) => {
    const [most, unit] = bits === 8 ? [255, 1] : [65_535, 256];
    const samples = labColors.flatMap(({ lab: [l = 0, a = 0, b = 0] }) => [
      Math.round((l / 100) * most),
      Math.round(a * unit) & most,
      Math.round(b * unit) & most,
    ]);
    const data = new Uint8Array((bits === 8 ? Uint8Array.from(samples) : Uint16Array.from(samples)).buffer);
    const file = makeTiffFile({ width: labColors.length, height: 1, photometric: 8, samples: 3, bits, data });
    const width = labColors.length;
    expect(await inspect(file)).toMatchObject({ width, height: 1, channels: 3, space: 'lab', bitDepth: bits });
    const { image, notes } = await decodeImage(file);
    expect(notes).toEqual(['The colors were converted from Lab to sRGB.']);
    const wanted = labColors.flatMap(({ rgb }) => rgb);
    const found = [...image.data].map((value) => (bits === 8 ? value : value / 257));
    // Whole steps of a* and b* are coarse for pure colors.
    for (const [i, value] of wanted.entries())
      expect(Math.abs((found[i] ?? 0) - value)).toBeLessThanOrEqual(bits === 8 ? 10 : 1);
  });
});

describe('a JPEG with named components', () => {
  it('is read as CMYK when it is YCCK by Adobe', async () => {
    const file = await toSharp(photo).toColorspace('cmyk').jpeg({ quality: 100 }).toBuffer();
    const adobe = file.indexOf('Adobe');
    expect(adobe).toBeGreaterThan(0);
    expect([0, 2]).toContain(file[adobe + 11]);
    const { image } = await decodeImage(file);
    expect(psnr(image, await decodeFile(file))).toBeGreaterThan(40);
  });
});
