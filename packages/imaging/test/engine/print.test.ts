import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { beforeAll, describe, expect, it } from 'vitest';
import { deltaE } from '../../src/color/color-difference.ts';
import { makeEncoding, toLinear } from '../../src/color/encoding.ts';
import { p3Gamut } from '../../src/color/gamut.ts';
import { guardedSharp } from '../../src/decoders.ts';
import { assembleTags, makeProfile } from '../../src/engine/color/apply-color.ts';
import { loadGenericProfile } from '../../src/engine/color/generic-profile.ts';
import type { Progress } from '../../src/engine/stages.ts';
import { encodeNotes } from '../../src/engine/steps/encode.ts';
import { readTags } from '../../src/inspect/icc-profile.ts';
import { maxPrintProfileBytes, readPrintProfile } from '../../src/inspect/print-profile.ts';
import { flatPng } from '../support/color-files.ts';
import { curv, greyIcc, iccp } from '../support/icc-files.ts';
import { encodeAs } from '../support/image-files.ts';
import { makeImage, makePhoto } from '../support/images.ts';
import { makeRecipe, pipelineFor, processFile, runJob } from '../support/run-job.ts';

const print = { printProfile: 'generic', format: 'tiff', scaleFactor: 1, metadata: 'none' } as const;
/** Total ink limit of the generic profile: that of its darkest color, in percent. */
const maxInk = 206;

let generic: Buffer;
beforeAll(async () => {
  generic = await loadGenericProfile();
});

/** Returns the inks of a CMYK file, 0 to 255. */
const readInks = async (file: Buffer) =>
  guardedSharp(file).pipelineColorspace('cmyk').toColorspace('cmyk').raw().toBuffer({ resolveWithObject: true });

const readShown = async (file: Buffer) =>
  guardedSharp(file).withIccProfile('srgb', { attach: false }).toColorspace('srgb').raw().toBuffer();

const sumsOf = (inks: Buffer) =>
  Array.from({ length: inks.length / 4 }, (_, i) => inks.subarray(4 * i, 4 * i + 4).reduce((sum, ink) => sum + ink, 0));

const toLight = (pixel: Iterable<number>) =>
  Array.from(pixel, (sample) => toLinear(sample / 255)) as [number, number, number];

const differenceOf = (wanted: Iterable<number>, found: Iterable<number>) => deltaE(toLight(wanted), toLight(found));

const plain = (color: [number, number, number]) =>
  encodeAs(
    makeImage({ width: 32, height: 24, channels: 3 }, () => color),
    'png',
  );

describe.each(['jpeg', 'tiff'] as const)('a CMYK %s', (format) => {
  it('has the inks and the profile, and its receipt their totals', async () => {
    const file = await encodeAs(makePhoto({ width: 240, height: 160 }), 'png');
    const { result, thumbnail, report } = await processFile(file, { ...print, format, scaleFactor: 2 });
    const header = await guardedSharp(result).metadata();
    expect(header).toMatchObject({
      space: 'cmyk',
      channels: 4,
      depth: 'uchar',
      width: 480,
      height: 320,
      hasAlpha: false,
    });
    expect(header.icc?.equals(generic)).toBe(true);
    expect((await guardedSharp(thumbnail).metadata()).space).toBe('srgb');
    const sums = sumsOf((await readInks(result)).data).sort((a, b) => a - b);
    const inkAt = (share: number) => (sums[Math.floor(share * (sums.length - 1))] ?? Number.NaN) / 2.55;
    const loss = format === 'jpeg' ? 8 : 0.1;
    expect(Math.abs((report.print?.maxInk ?? 0) - inkAt(1))).toBeLessThan(loss);
    expect(Math.abs((report.print?.highInk ?? 0) - inkAt(0.99))).toBeLessThan(loss);
    expect(report.print).toMatchObject({ profile: 'generic', description: 'Chemical proof' });
    expect(report).toMatchObject({ format, bitDepth: 8, notes: [] });
    expect(report.fidelity?.score).toBeGreaterThan(95);
    expect(report.colorDifference.mean).toBeGreaterThan(0.3);
  });

  it('shows colors close to those of the image, and no more ink than the profile allows', async () => {
    const colors = [
      [200, 60, 50],
      [60, 130, 70],
      [40, 60, 140],
      [230, 200, 60],
      [130, 110, 90],
      [0, 0, 0],
    ] as const;
    for (const color of colors) {
      const { result, report } = await processFile(await plain([...color]), { ...print, format });
      const shown = (await readShown(result)).subarray(0, 3);
      expect(differenceOf(color, shown), `${color} became ${[...shown]}`).toBeLessThan(9);
      expect(report.print?.maxInk).toBeLessThanOrEqual(maxInk);
    }
  });
});

/** Grays from here on are neutral. The profile adds yellow to darker ones, by up to 9.7: its black has 82% of it. */
const neutralFrom = 96;

it('keeps grays neutral except shadows, with black ink', async () => {
  const ramp = await encodeAs(
    makeImage({ width: 256, height: 16, channels: 1 }, (x) => [x]),
    'png',
  );
  const { result } = await processFile(ramp, print);
  const shown = await readShown(result);
  const { data, info } = await readInks(result);
  expect(info.channels).toBe(4);
  for (let x = 0; x < 256; x++) {
    const pixel = shown.subarray(3 * x, 3 * x + 3);
    const gray = pixel.reduce((sum, sample) => sum + sample, 0) / 3;
    expect(differenceOf(pixel, [gray, gray, gray]), `gray ${x} became ${[...pixel]}`).toBeLessThan(
      x < neutralFrom ? 10 : 2,
    );
  }
  const black = Array.from({ length: 256 }, (_, x) => data[4 * x + 3] ?? 0);
  expect(black).toEqual([...black].sort((a, b) => b - a));
  expect([black[255], black[0]]).toEqual([0, expect.toSatisfy((ink: number) => ink > 240)]);
  expect([...data.subarray(4 * 255, 4 * 256)]).toEqual([0, 0, 0, 0]);
});

it('converts wide gamuts directly, so that greens outside of sRGB stay more saturated', async () => {
  const green = [0, 255, 0];
  const p3 = makeProfile(makeEncoding(p3Gamut, toLinear));
  const inksOf = async (file: Buffer) => (await readInks((await processFile(file, print)).result)).data.subarray(0, 4);
  const [wide, narrow] = [await inksOf(flatPng(green, [iccp(p3)])), await inksOf(flatPng(green, []))];
  expect([...wide]).not.toEqual([...narrow]);
});

it('fills transparent areas with the background color, and notes it', async () => {
  const faded = makeImage({ width: 40, height: 30, channels: 4 }, (x) => [200, 30, 30, x < 20 ? 0 : 255]);
  const recipe = { ...print, background: '#3c8246' } as const;
  const { result, report } = await processFile(await encodeAs(faded, 'png'), recipe);
  const shown = await readShown(result);
  expect(differenceOf([60, 130, 70], shown.subarray(0, 3))).toBeLessThan(9);
  expect(report.notes).toEqual([encodeNotes.flattened]);
});

it('keeps metadata, the print resolution, and a target size', async () => {
  const file = await guardedSharp(await encodeAs(makePhoto({ width: 300, height: 200 }), 'jpeg'))
    .withExif({ IFD0: { Copyright: 'Ada' } })
    .jpeg()
    .toBuffer();
  const recipe = { ...print, format: 'jpeg', metadata: 'copyright', dpi: 240, targetBytes: 240_000 } as const;
  const { result, report } = await processFile(file, recipe);
  const header = await guardedSharp(result).metadata();
  expect(header).toMatchObject({ space: 'cmyk', density: 240 });
  expect(header.icc?.equals(generic)).toBe(true);
  expect(header.exif?.includes('Ada')).toBe(true);
  expect(result.length).toBeLessThanOrEqual(240_000);
  expect(report.quality).toBeLessThan(95);
  // Without metadata, only the profile is kept.
  const none = await guardedSharp((await processFile(file, { ...print, format: 'jpeg' })).result).metadata();
  expect(none.icc?.equals(generic)).toBe(true);
  expect(none.exif).toBeUndefined();
});

it('shrinks and crops like RGB results', async () => {
  const file = await encodeAs(makePhoto({ width: 240, height: 160 }), 'jpeg');
  const size = { scaleFactor: undefined, width: 60, height: 60, fit: 'cover' } as const;
  const { result } = await processFile(file, { ...print, ...size, format: 'auto' } as Partial<Recipe>);
  expect(await guardedSharp(result).metadata()).toMatchObject({ format: 'jpeg', space: 'cmyk', width: 60, height: 60 });
});

describe('a profile from a file', () => {
  const named = { ...print, printProfile: 'press' } as const;
  const file = () => plain([200, 60, 50]);

  it('is used and embedded', async () => {
    const profile = Buffer.concat([generic, Buffer.alloc(4)]);
    profile.writeUInt32BE(profile.length);
    const { result, report } = await processFile(await file(), named, { printProfile: profile });
    expect((await guardedSharp(result).metadata()).icc?.equals(profile)).toBe(true);
    expect(report.print).toMatchObject({ profile: 'press', description: 'Chemical proof' });
  });

  const change = (edit: (icc: Buffer) => void) => {
    const icc = Buffer.from(generic);
    edit(icc);
    return icc;
  };
  it.each([
    ['is for gray', () => greyIcc(curv([])), 'has the colors "GRAY" instead of CMYK'],
    ['is for RGB', () => makeProfile(makeEncoding(p3Gamut, toLinear)), 'has the colors "RGB" instead of CMYK'],
    ['is no profile', () => Buffer.from('no profile'), "isn't an ICC profile"],
    ['is cut off', () => generic.subarray(0, 9_000), 'is incomplete'],
    ['is too large', () => Buffer.alloc(maxPrintProfileBytes + 1), 'is larger than 4 MB'],
    ['is for an input device', () => change((icc) => icc.write('scnr', 12)), "isn't a profile of an output device"],
    ['has an unknown version', () => change((icc) => icc.writeUInt8(5, 8)), 'has version 5 instead of 2 or 4'],
    ['has no table', () => change((icc) => icc.write('xxxx', icc.indexOf('B2A0'))), 'has no table for converting'],
    ['has a damaged table', () => change((icc) => readTags(icc).get('B2A0')?.fill(0xff)), 'the profile is damaged'],
  ])('that %s fails with a sentence', async (_title, makeProfile, sentence) => {
    const run = processFile(await file(), named, { printProfile: makeProfile() });
    const detail = expect.stringContaining(sentence);
    await expect(run).rejects.toMatchObject({ code: 'invalid_parameter', message: detail });
  });

  it('has the English description, or the first one', () => {
    const texts = (languages: string[]) => {
      const records = languages.map((language, i) => {
        const record = Buffer.alloc(12);
        record.write(`${language}XX`, 'latin1');
        record.writeUInt32BE(8, 4);
        record.writeUInt32BE(16 + 12 * languages.length + 8 * i, 8);
        return record;
      });
      const head = Buffer.alloc(16);
      head.write('mluc', 'latin1');
      head.writeUInt32BE(languages.length, 8);
      head.writeUInt32BE(12, 12);
      const values = languages.map((language) => Buffer.from(`${language}\u0000!`.padEnd(4), 'utf16le').swap16());
      return Buffer.concat([head, ...records, ...values]);
    };
    const describeWith = (tag: Buffer) =>
      readPrintProfile(
        assembleTags(generic.subarray(0, 128), [
          ['desc', tag],
          ['B2A0', Buffer.alloc(8)],
        ]),
        'press',
      );
    expect(describeWith(texts(['de', 'en']))).toEqual({ description: 'en!' });
    expect(describeWith(texts(['de', 'fr']))).toEqual({ description: 'de!' });
    expect(describeWith(Buffer.from('mluc'))).toEqual({ description: 'press' });
  });
});

it('stops when it is canceled, without a result', async () => {
  const abort = new AbortController();
  const file = await encodeAs(makePhoto({ width: 200, height: 200 }), 'png');
  const pipeline = await pipelineFor(file, makeRecipe({ ...print }));
  const onProgress = ({ stage }: Progress) => stage === 'encode' && abort.abort();
  await expect(runJob(file, pipeline, { signal: abort.signal, onProgress })).rejects.toMatchObject({
    code: 'cancelled',
  });
});
