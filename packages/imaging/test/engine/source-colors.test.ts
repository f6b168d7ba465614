import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { variantFile } from '@uprez/contracts/schemas/jobs/child-messages';
import { describe, expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { inspect } from '../../src/inspect/inspect.ts';
import { makeVariants } from '../../src/variants/make-variants.ts';
import { pngChunk } from '../hostile/png-file.ts';
import {
  chroma,
  chromaticities,
  cicp,
  flatAvif,
  flatBmp,
  flatPng,
  gama,
  shownPixel,
  srgbChunk,
} from '../support/color-files.ts';
import { expectShown } from '../support/expect-shown.ts';
import { processFile } from '../support/run-job.ts';

const brown = [200, 80, 60];

/** Colors as Chromium shows them. */
const pngCases: [title: string, wanted: number[], file: { chunks: Buffer[]; pixel?: number[] }][] = [
  ['linear light', [128, 128, 128], { chunks: [gama(100_000)], pixel: [55, 55, 55] }],
  ['a gamma of 1.8', [210, 99, 77], { chunks: [gama(55_556)] }],
  ['the gamma of sRGB', [20, 20, 20], { chunks: [gama(45_455)], pixel: [20, 20, 20] }],
  [
    'the gamma and the chromaticities of sRGB',
    [20, 20, 20],
    { chunks: [gama(45_455), chromaticities(...chroma.srgb)], pixel: [20, 20, 20] },
  ],
  ['the chromaticities of Display P3', [218, 67, 47], { chunks: [gama(45_455), chromaticities(...chroma.p3)] }],
  ['the chromaticities of Adobe RGB', [230, 79, 56], { chunks: [gama(45_455), chromaticities(...chroma.adobe)] }],
  ['the chromaticities of BT.2020', [246, 33, 47], { chunks: [gama(45_455), chromaticities(...chroma.bt2020)] }],
  ['linear light of Display P3', [239, 148, 129], { chunks: [gama(100_000), chromaticities(...chroma.p3)] }],
  ['chromaticities without a gamma', brown, { chunks: [chromaticities(...chroma.p3)] }],
  ['sRGB, which precedes its gamma', brown, { chunks: [srgbChunk, gama(100_000), chromaticities(...chroma.p3)] }],
  ['the code points of Display P3', [216, 69, 50], { chunks: [cicp(12, 13)] }],
  ['the code points of BT.2020 with an sRGB curve', [244, 37, 50], { chunks: [cicp(9, 13)] }],
  ['the code points of BT.709', [197, 70, 49], { chunks: [cicp(1, 1)] }],
  ['the code points of BT.601', [203, 80, 60], { chunks: [cicp(5, 13)] }],
  ['code points, which precede sRGB', [216, 69, 50], { chunks: [cicp(12, 13), srgbChunk] }],
  ['code points of a narrow range', brown, { chunks: [cicp(1, 13, [0, 0])] }],
  ['code points that are not specified', brown, { chunks: [cicp(2, 2), srgbChunk] }],
  ['code points with a matrix', brown, { chunks: [cicp(12, 13, [1, 1])] }],
  ['PQ', [238, 0, 37], { chunks: [cicp(9, 16)], pixel: [150, 90, 80] }],
  ['PQ at white', [187, 187, 187], { chunks: [cicp(9, 16)], pixel: [148, 148, 148] }],
  ['HLG', [186, 49, 59], { chunks: [cicp(9, 18)], pixel: [180, 90, 80] }],
  ['HLG at half', [99, 99, 99], { chunks: [cicp(9, 18)], pixel: [128, 128, 128] }],
  ['a gamma of 0', brown, { chunks: [gama(0)] }],
  ['a huge gamma', brown, { chunks: [gama(0x7fffffff)] }],
  ['a tiny gamma', brown, { chunks: [gama(1)] }],
  ['chromaticities of 0', brown, { chunks: [gama(45_455), chromaticities(...Array(8).fill(0))] }],
  [
    'absurd chromaticities',
    brown,
    { chunks: [gama(45_455), chromaticities(31_270, 32_900, 99_999, 99_999, 1, 1, 50_000, 50_000)] },
  ],
  ['cut chunks', brown, { chunks: [pngChunk('gAMA', Buffer.of(0, 1)), pngChunk('cICP', Buffer.of(12))] }],
];

/** The pixel of the version for web pages. */
async function shownVariant(file: Buffer): Promise<number[]> {
  const dir = await mkdtemp(join(tmpdir(), 'uprez-variants-test-'));
  try {
    await makeVariants(file, { dir, widths: [8] });
    return await shownPixel(await readFile(join(dir, variantFile(8))));
  } finally {
    await rm(dir, { recursive: true });
  }
}

describe('a PNG', () => {
  it.each(pngCases)('has its colors with %s', async (_title, wanted, { chunks, pixel = brown }) => {
    await expectShown(flatPng(pixel, chunks), wanted);
  });

  it.each(['jpeg', 'webp', 'avif', 'tiff', 'gif'] as const)('has its colors as %s', async (format) => {
    for (const [chunks, wanted] of [
      [[cicp(12, 13)], [216, 69, 50]],
      [[gama(100_000)], [229, 152, 133]],
    ] as const)
      await expectShown(flatPng(brown, [...chunks]), [...wanted], { format, quality: 95 });
  });

  it('has its colors when it shrinks, is cropped, or is upscaled', async () => {
    const file = flatPng([55, 55, 55], [gama(100_000)]);
    for (const recipe of [{ scaleFactor: 0.5 }, { scaleFactor: 3 }]) await expectShown(file, [128, 128, 128], recipe);
  });

  it.each([
    ['gray', [55], { colorType: 0 }],
    ['gray with transparency', [55, 200], { colorType: 4 }],
    ['16 bits', [14_135, 14_135, 14_135], { bits: 16 }],
    ['gray of 16 bits', [14_135], { colorType: 0, bits: 16 }],
    ['colors with transparency', [55, 55, 55, 255], { colorType: 6 }],
  ] as const)('has its colors with %s', async (_title, pixel, kind) => {
    await expectShown(flatPng([...pixel], [gama(100_000)], kind), [128, 128, 128]);
  });

  it.each([
    ['the chromaticities of Adobe RGB', [230, 79, 56], [gama(45_455), chromaticities(...chroma.adobe)]],
    ['PQ', [255, 0, 0], [cicp(9, 16)]],
    ['no description', brown, []],
  ])('has its colors with 16 bits and %s', async (_title, wanted, chunks) => {
    const pixel = brown.map((value) => 257 * value);
    const file = flatPng(pixel, chunks, { bits: 16 });
    for (const format of ['png', 'tiff', 'jxl', 'webp'] as const)
      await expectShown(file, wanted, { format, quality: 95 });
    expect(await shownVariant(file)).toEqual(wanted.map((value) => expect.closeTo(value, -1)));
  });

  it('has its colors with a palette', async () => {
    const palette = pngChunk('PLTE', Buffer.of(55, 55, 55, 0, 0, 0));
    await expectShown(flatPng([0], [gama(100_000), palette], { colorType: 3 }), [128, 128, 128]);
  });

  it('has the colors of its code points instead of those of its profile', async () => {
    const { result } = await processFile(flatPng(brown, [cicp(12, 13)]), { format: 'png', scaleFactor: 1 });
    const start = result.indexOf('iCCP') - 4;
    const profile = result.subarray(start, start + 12 + result.readUInt32BE(start));
    await expectShown(flatPng(brown, [profile]), [216, 69, 50]);
    await expectShown(flatPng(brown, [cicp(1, 13), profile]), brown);
    await expectShown(flatPng(brown, [cicp(1, 8), profile]), [229, 152, 133]);
    await expectShown(flatPng(brown, [profile, gama(100_000)]), [216, 69, 50]);
  });

  it('of a high dynamic range says in the receipt that it was converted', async () => {
    const { notes } = await expectShown(flatPng([148, 148, 148], [cicp(9, 16)]), [187, 187, 187]);
    expect(notes).toContain('The colors were converted from a high dynamic range to the standard range.');
  });

  it('has its colors in the versions for web pages', async () => {
    const [shown = 0] = await shownVariant(flatPng([55, 55, 55], [gama(100_000)]));
    expect(Math.abs(shown - 128)).toBeLessThanOrEqual(4);
  });

  it('is described as having colors of its own', async () => {
    const of = async (...chunks: Buffer[]) => (await inspect(flatPng(brown, chunks))).hasProfile;
    expect([await of(gama(100_000)), await of(cicp(12, 13)), await of(srgbChunk), await of()]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

/** Code points, and the color as Chromium shows it. */
const avifCases: [title: string, wanted: number[], points: [number, number]][] = [
  ['Display P3', [216, 69, 49], [12, 13]],
  ['BT.2020', [244, 37, 49], [9, 14]],
  ['BT.601', [195, 84, 58], [6, 6]],
  ['BT.709', brown, [1, 1]],
  ['linear light', [229, 152, 132], [1, 8]],
  ['PQ', [255, 0, 0], [9, 16]],
  ['HLG', [230, 0, 35], [9, 18]],
  ['nothing specified', brown, [2, 2]],
  ['unknown numbers', brown, [99, 99]],
];

describe('an AVIF', () => {
  it.each(['file', 'stream'])('has its colors when the %s describes them', async (place) => {
    const file = readFileSync(new URL('../fixtures/avif/p3.avif', import.meta.url));
    if (place === 'stream') file.write('free', file.indexOf('nclx') - 4, 'latin1');
    expect(await inspect(file)).toMatchObject({ hasProfile: true });
    await expectShown(file, [216, 69, 49]);
  });

  it.each(avifCases)('has its colors with code points of %s', async (_title, wanted, points) => {
    await expectShown(await flatAvif(brown, points), wanted);
  });
});

const p3Endpoints = [0.68, 0.32, 0, 0.265, 0.69, 0.045, 0.15, 0.06, 0.79];

describe('a BMP', () => {
  it.each([
    ['linear light', [229, 152, 133], { gamma: [1, 1, 1] }],
    ['a gamma per color', [229, 99, 59], { gamma: [1, 1.8, 2.2] }],
    ['endpoints', [218, 67, 47], { gamma: [2.2, 2.2, 2.2], endpoints: p3Endpoints }],
    ['the exponents of samples', brown, { gamma: [0.4545, 0.4545, 0.4545] }],
    ['an empty description', brown, {}],
    ['a damaged description', brown, { gamma: [2.2, 2.2, 2.2], endpoints: [1, 0, 0, 1, 0, 0, 1, 0, 0] }],
  ])('has its colors with %s', async (_title, wanted, colors) => {
    await expectShown(flatBmp(brown, colors), wanted);
  });

  it('has the colors of its profile', async () => {
    const { result } = await processFile(flatPng(brown, [cicp(12, 13)]), { format: 'png', scaleFactor: 1 });
    const profile = (await guardedSharp(result).metadata()).icc;
    const file = flatBmp(brown, profile ? { profile } : {});
    expect(await inspect(file)).toMatchObject({ hasProfile: true });
    await expectShown(file, [216, 69, 51]);
  });
});

/** 16 x 16 pixels of 150, 90, 80, by the encoder of libjxl with `-d 0 -x color_space=RGB_D65_202_Rel_PeQ`, and so on. */
const jxlCases: [title: string, wanted: number[], file: string][] = [
  [
    'PQ',
    [238, 0, 37],
    'ff0a43041090478f381c00000000020802010068004b188b1500d417638c172fde05220010240c00201c64b941890d',
  ],
  [
    'HLG',
    [136, 60, 59],
    'ff0a430410906720d06300000000080802010068004b188b1500d417638c172fde05220010240c00201c64b941890d',
  ],
  ['linear light', [202, 160, 152], 'ff0a434040d1220802010068004b188b1500d417638c172fde05220010240c00201c64b941890d'],
];

describe('a JPEG XL image', () => {
  it.each(jxlCases)('has its colors with %s', async (_title, wanted, file) => {
    await expectShown(Buffer.from(file, 'hex'), wanted);
  });
});
