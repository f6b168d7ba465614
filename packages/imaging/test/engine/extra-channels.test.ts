import { describe, expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { decodeNotes } from '../../src/engine/steps/decode-notes.ts';
import { inspect } from '../../src/inspect/inspect.ts';
import { makeTiffFile } from '../hostile/tiff-file.ts';
import { processFile } from '../support/run-job.ts';

const [grey, rgb, separated, lab] = [1, 2, 5, 8];
const [unspecified, associated, unassociated] = [0, 1, 2];
const extraSamplesTag = 338;
const [planarTag, offsetsTag, lengthsTag] = [284, 273, 279];
const [shortType, longType] = [3, 4];

type Case = { photometric: number; pixel: number[]; extra?: number[]; bits?: 8 | 16 };

/** A TIFF of 8 x 8 equal pixels. `extra`: kinds of the channels after the colors; undefined without the tag. */
function makeTiff({ photometric, pixel, extra, bits = 8 }: Case): Buffer {
  const samples = Array.from({ length: 64 }, () => pixel).flat();
  const deep = Uint16Array.from(samples, (value) => value * 257);
  const data = bits === 8 ? Uint8Array.from(samples) : new Uint8Array(deep.buffer);
  const entries = extra ? [[extraSamplesTag, shortType, extra] as [number, number, number[]]] : [];
  return makeTiffFile({ width: 8, height: 8, photometric, samples: pixel.length, bits, data, entries });
}

async function pixelOf(file: Buffer): Promise<number[]> {
  const { data } = await guardedSharp(file)
    .ensureAlpha()
    .toColorspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data.subarray(0, 4)];
}

const worst = (found: number[], wanted: number[]) =>
  Math.max(...found.map((value, i) => Math.abs(value - (wanted[i] ?? 0))));

const color = [200, 100, 50];
const hidden: [string, Case, number[]][] = [
  ['an unspecified channel', { photometric: rgb, pixel: [...color, 0], extra: [unspecified] }, [...color, 255]],
  ['a channel without a kind', { photometric: rgb, pixel: [...color, 0] }, [...color, 255]],
  [
    'two unspecified channels',
    { photometric: rgb, pixel: [...color, 0, 9], extra: [unspecified, unspecified] },
    [...color, 255],
  ],
  [
    'a spot color and transparency',
    { photometric: rgb, pixel: [...color, 0, 128], extra: [unspecified, unassociated] },
    [...color, 128],
  ],
  [
    'transparency and a spot color',
    { photometric: rgb, pixel: [...color, 128, 0], extra: [unassociated, unspecified] },
    [...color, 128],
  ],
  [
    'a mask and associated alpha',
    { photometric: rgb, pixel: [100, 50, 25, 0, 128], extra: [unspecified, associated] },
    [199, 100, 50, 128],
  ],
  [
    'an unspecified channel of 16 bits',
    { photometric: rgb, pixel: [...color, 0], extra: [unspecified], bits: 16 },
    [...color, 255],
  ],
  ['gray and an unspecified channel', { photometric: grey, pixel: [90, 0], extra: [unspecified] }, [90, 90, 90, 255]],
  [
    'gray with 16 bits and two channels',
    { photometric: grey, pixel: [90, 0, 128], extra: [unspecified, unassociated], bits: 16 },
    [90, 90, 90, 128],
  ],
];

describe.each(hidden)('a TIFF with %s', (_, options, wanted) => {
  it('shows its colors, with a note', async () => {
    const file = makeTiff(options);
    expect(await inspect(file)).toMatchObject({ hasAlpha: (wanted[3] ?? 255) < 255 });
    for (const [format, scaleFactor] of [
      ['png', 1],
      ['png', 2],
      ['png', 0.5],
      ['webp', 1],
      ['tiff', 1],
    ] as const) {
      const { result, report } = await processFile(file, { scaleFactor, format, quality: 100 });
      const found = await pixelOf(result);
      expect(worst(found, wanted)).toBeLessThanOrEqual(3);
      expect(report.notes).toContain(decodeNotes.extraChannels);
    }
  });
});

it.each([
  [grey, [90, 0], [90, 90, 90, 255]],
  [rgb, [...color, 0], [...color, 255]],
])('shows planes of colors and an unspecified one (%d)', async (photometric, planes, wanted) => {
  for (const bits of [8, 16] as const) {
    const plane = (value: number) =>
      bits === 8 ? Buffer.alloc(64, value) : Buffer.from(new Uint16Array(64).fill(value * 257).buffer);
    const length = (64 * bits) / 8;
    const entries: [number, number, number[]][] = [
      [extraSamplesTag, shortType, [unspecified]],
      [planarTag, shortType, [2]],
      [offsetsTag, longType, planes.map((_, i) => 8 + i * length)],
      [lengthsTag, longType, planes.map(() => length)],
    ];
    const data = Buffer.concat(planes.map(plane));
    const file = makeTiffFile({ width: 8, height: 8, photometric, samples: planes.length, bits, data, entries });
    expect(await inspect(file)).toMatchObject({ hasAlpha: false });
    const { result } = await processFile(file, { scaleFactor: 2, format: 'png' });
    expect(await pixelOf(result)).toEqual(wanted);
  }
});

it('shows CMYK with a spot color, with a note', async () => {
  const options = { photometric: separated, pixel: [0, 255, 255, 0, 255] };
  const plain = await processFile(makeTiff({ ...options, pixel: options.pixel.slice(0, 4) }), { scaleFactor: 1 });
  const { result, report } = await processFile(makeTiff({ ...options, extra: [unspecified] }), { scaleFactor: 1 });
  expect(await pixelOf(result)).toEqual(await pixelOf(plain.result));
  expect(report.notes).toEqual([decodeNotes.cmyk, decodeNotes.extraChannels]);
});

it('shows Lab with an unspecified channel, with a note', async () => {
  const { result, report } = await processFile(
    makeTiff({ photometric: lab, pixel: [128, 0, 0, 0], extra: [unspecified] }),
    { scaleFactor: 1 },
  );
  expect((await pixelOf(result))[3]).toBe(255);
  expect(report.notes).toContain(decodeNotes.extraChannels);
});

it.each([
  ['unassociated', unassociated, [200, 100, 50, 128]],
  ['associated', associated, [100, 50, 25, 128]],
] as const)('keeps %s alpha without a note', async (_, kind, pixel) => {
  const { result, report } = await processFile(makeTiff({ photometric: rgb, pixel: [...pixel], extra: [kind] }), {
    scaleFactor: 1,
    format: 'png',
  });
  const found = await pixelOf(result);
  expect(worst(found, [...color, 128])).toBeLessThanOrEqual(1);
  expect(report.notes).toEqual([]);
});
