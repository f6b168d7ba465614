import type { InputFormat, OutputFormat } from '@uprez/contracts/policy/images/image-formats';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import { expect, it } from 'vitest';
import { makePipeline } from './make-pipeline.ts';

type Measured = [
  from: InputFormat,
  width: number,
  height: number,
  sourceBytes: number,
  to: OutputFormat,
  bytes: number,
];

/** Results of photos at 2x with `standard` and the default quality. */
const measured: Measured[] = [
  ['jpeg', 1800, 1200, 347_327, 'jpeg', 2_201_102],
  ['jpeg', 1800, 1200, 347_327, 'png', 10_931_202],
  ['jpeg', 1200, 1800, 245_684, 'jpeg', 1_293_112],
  ['jpeg', 1200, 1800, 245_684, 'png', 5_948_697],
  ['jpeg', 256, 192, 15_954, 'jpeg', 61_673],
  ['jpeg', 256, 192, 15_954, 'png', 280_646],
  ['jpeg', 384, 288, 9_490, 'jpeg', 37_760],
  ['jpeg', 384, 288, 9_490, 'png', 182_611],
  ['png', 384, 288, 58_219, 'png', 150_325],
  ['jpeg', 384, 288, 29_278, 'jpeg', 85_831],
  ['jpeg', 384, 288, 29_278, 'png', 179_004],
  ['png', 384, 288, 88_479, 'png', 173_656],
  ['jpeg', 384, 288, 18_573, 'jpeg', 67_706],
  ['jpeg', 384, 288, 18_573, 'png', 341_214],
  ['png', 384, 288, 87_639, 'png', 287_814],
  ['jpeg', 128, 96, 6_093, 'jpeg', 23_522],
  ['jpeg', 128, 96, 6_093, 'png', 82_972],
  ['jpeg', 384, 288, 49_129, 'jpeg', 162_131],
  ['jpeg', 384, 288, 49_129, 'png', 697_596],
  ['png', 384, 288, 226_871, 'png', 731_948],
  ['jpeg', 384, 288, 34_155, 'jpeg', 131_587],
  ['jpeg', 384, 288, 34_155, 'png', 597_817],
  ['png', 384, 288, 187_663, 'png', 622_977],
  ['jpeg', 384, 288, 27_412, 'jpeg', 103_074],
  ['jpeg', 384, 288, 27_412, 'png', 491_349],
  ['png', 384, 288, 162_269, 'png', 557_467],
  ['jpeg', 512, 768, 112_312, 'jpeg', 400_549],
  ['jpeg', 512, 768, 112_312, 'png', 1_975_812],
  ['png', 512, 768, 637_432, 'png', 2_142_047],
  ['jpeg', 768, 512, 173_611, 'jpeg', 596_638],
  ['jpeg', 768, 512, 173_611, 'png', 2_612_651],
  ['png', 768, 512, 785_610, 'png', 2_636_815],
  ['jpeg', 768, 512, 135_413, 'jpeg', 463_970],
  ['jpeg', 768, 512, 135_413, 'png', 2_049_432],
  ['png', 768, 512, 618_959, 'png', 2_248_121],
];

const limits = { maxOutputPixels: 512_000_000, maxJobSeconds: 3_600, autoEngine: 'photo-fast' } as const;
type Asked = { source: Pick<Inspection, 'format' | 'width' | 'height'>; format: OutputFormat; sourceBytes?: number };

function estimateBytes({ source, format, sourceBytes, ...recipe }: Asked & { quality?: number; targetBytes?: number }) {
  const facts = { orientation: 1, channels: 3, space: 'rgb', isPalette: false, bitDepth: 8, hasAlpha: false } as const;
  const outcome = makePipeline({
    recipe: { ...recipeDefaults, engine: 'standard', scaleFactor: 2, format, ...recipe },
    inspection: { ...facts, ...source, hasProfile: false, decodesWhole: false, frames: 1 },
    limits,
    sourceBytes,
  });
  if (!outcome.ok) throw new Error(outcome.rejection.detail);
  return outcome.pipeline.estimate.outputBytes;
}

it('is within 25% of the size of measured results at the median, and never wrong by a factor of 4', () => {
  const errors = measured
    .map(([format, width, height, sourceBytes, to, bytes]) => {
      const estimate = estimateBytes({ source: { format, width, height }, format: to, sourceBytes });
      return Math.abs(Math.log(estimate / bytes));
    })
    .toSorted((a, b) => a - b);
  expect(Math.exp(errors[Math.floor(errors.length / 2)] ?? 0)).toBeLessThan(1.25);
  expect(Math.exp(errors.at(-1) ?? 0)).toBeLessThan(4);
});

const photo = { source: { format: 'jpeg', width: 1_000, height: 750 }, sourceBytes: 250_000 } as const;

it('grows with the quality, and is at most the target size', () => {
  const sizes = [60, 80, 95, 100].map((quality) => estimateBytes({ ...photo, format: 'jpeg', quality }));
  expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  expect(estimateBytes({ ...photo, format: 'jpeg', targetBytes: 50_000 })).toBe(50_000);
});

it('is that of a typical photo when the size of the file is unknown or says nothing', () => {
  const typical = estimateBytes({ source: photo.source, format: 'png' });
  expect(typical / (2_000 * 1_500)).toBeCloseTo(1.25);
  const bitmap = { source: { ...photo.source, format: 'bmp' }, sourceBytes: 2_250_054 } as const;
  expect(estimateBytes({ ...bitmap, format: 'png' })).toBe(typical);
});

it('is at most that of uncompressed pixels', () =>
  expect(estimateBytes({ ...photo, sourceBytes: 50_000_000, format: 'png' })).toBe(4 * 2_000 * 1_500));
