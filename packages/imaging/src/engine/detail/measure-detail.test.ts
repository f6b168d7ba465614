import { describe, expect, it } from 'vitest';
import { readAll, rowsOf, streamOf } from '../../../test/support/image-streams.ts';
import { deepen, type Image, makeImage, pickChannel } from '../../../test/support/images.ts';
import { drawImage } from '../../calibrate/draw-image.ts';
import { resample } from '../rows/resample.ts';
import { shrink } from '../rows/shrink.ts';
import { measureDetail, workingFactor } from './measure-detail.ts';

const side = 512;

/** Draws without black and white, because the overshoot of softened edges would be cut there. */
function draw(kind: 'lines' | 'petals', seed: number): Image {
  const { planes } = drawImage(kind, side, seed);
  return makeImage({ width: side, height: side }, (x, y) =>
    [0, 1, 2].map((c) => 40 + 180 * (planes[(c * side + y) * side + x] ?? 0)),
  );
}

/** Shrinks an image and upscales it again. */
async function soften(image: Image, factor: number): Promise<Image> {
  const { width, height } = image;
  const small = shrink(streamOf(image), { width: Math.round(width * factor), height: Math.round(height * factor) });
  return readAll(resample(small, { width, height }));
}

/** Strokes of the word "will", 16 pixels high. */
const isWord = (x: number, y: number) =>
  y >= 120 && y < 136 && x >= 300 && x < 336 && x % 5 < 2 && !(y < 125 && x < 320);

const mapImage = (
  { data, ...size }: Image,
  change: (samples: number[], x: number, y: number) => number[],
  channels = size.channels,
) =>
  makeImage({ ...size, channels }, (x, y) => {
    const at = (y * size.width + x) * size.channels;
    return change(Array.from(data.subarray(at, at + size.channels)), x, y);
  });

const measure = (image: Image) => measureDetail(rowsOf(image));
const sharp = draw('lines', 3);
const soft = await soften(sharp, 0.5);

describe('measureDetail', () => {
  it('returns 1 for sharp images, and less for the same at half the resolution', async () => {
    const petals = draw('petals', 5);
    for (const image of [sharp, petals]) expect((await measure(image)).image).toBe(1);
    expect((await measure(await soften(petals, 0.5))).image).toBeLessThan(0.6);
    // The hard edges of lines keep some detail that doesn't belong to the smaller image.
    expect((await measure(soft)).image).toBeLessThan(0.7);
    expect((await measure(soft)).image).toBeGreaterThanOrEqual(0.5);
  });

  it('returns 1 for the only block with a sharp word', async () => {
    const image = mapImage(soft, (samples, x, y) => (isWord(x, y) ? [20, 20, 20] : samples));
    const { scales, ...map } = await measure(image);
    expect(map).toEqual({ side: 256, across: 2, down: 2, image: 1 });
    expect(scales[1]).toBe(1);
    for (const block of [0, 2, 3]) expect(scales[block]).toBeLessThan(0.7);
  });

  it('returns the same for gray, transparent, and 16-bit images', async () => {
    const opaque = mapImage(soft, (samples) => [...samples, 255], 4);
    const scale = (await measure(soft)).image;
    for (const image of [opaque, deepen(soft), deepen(opaque)]) expect((await measure(image)).image).toBeCloseTo(scale);
    expect((await measure(pickChannel(soft, 1))).image).toBeLessThan(0.7);
    expect((await measure(pickChannel(sharp, 1))).image).toBe(1);
  });

  it('ignores hidden colors, but not the edges of transparency', async () => {
    const hidden = mapImage(
      soft,
      (samples, x, y) => [...(isWord(x, y) ? [20, 20, 20] : samples), x > 200 ? 0 : 255],
      4,
    );
    const { scales } = await measure(hidden);
    expect(scales[1]).toBeLessThan(0.7);
    expect(scales[0]).toBe(1);
  });

  it('returns 1 for text whose luma is that of its background', async () => {
    const image = makeImage({ width: 400, height: 200 }, (x, y) => (isWord(x, y) ? [30, 129, 90] : [200, 60, 60]));
    expect((await measure(image)).image).toBe(1);
  });

  it('ignores the borders of bars', async () => {
    const image = mapImage(soft, (samples, x, y) => (y < 40 || y >= side - 40 || x < 16 ? [0, 0, 0] : samples));
    expect((await measure(image)).image).toBeLessThan(0.7);
  });

  it('returns the lowest scale for flat blocks of soft images, and 1 for flat images', async () => {
    const half = mapImage(soft, (samples, x) => (x < 230 ? samples : [128, 128, 128]));
    expect((await measure(half)).scales[3]).toBeCloseTo(0.35);
    expect(await measure(makeImage({ width: 300, height: 300 }, () => [128, 128, 128]))).toEqual({
      side: 256,
      across: 2,
      down: 2,
      scales: new Float32Array(4).fill(1),
      image: 1,
      isFlat: true,
    });
  });

  it('finds the factor of images that were upscaled without interpolation', async () => {
    const small = await readAll(shrink(streamOf(sharp), { width: 171, height: 171 }));
    const large = makeImage({ width: 513, height: 513 }, (x, y) => {
      const at = (Math.floor(y / 3) * 171 + Math.floor(x / 3)) * 3;
      return Array.from(small.data.subarray(at, at + 3));
    });
    expect(await measure(large)).toMatchObject({ pixelFactor: 3, image: expect.closeTo(0.35) });
  });

  it('returns 1 for images that are too small, in any shape', async () => {
    for (const [width, height, channels] of [
      [1, 1, 3],
      [1, 5_000, 1],
      [2_000, 7, 4],
      [127, 127, 2],
    ] as const)
      expect((await measure(makeImage({ width, height, channels }, (x, y) => [x, y, 9]))).image).toBe(1);
    const { across, down, scales } = await measure(makeImage({ width: 2_000, height: 7 }, (x) => [x, x, x]));
    expect([across, down, scales.length]).toEqual([8, 1, 8]);
  });

  it('measures remainders of any size', async () => {
    for (const [width, height] of [
      [257, 300],
      [128, 259],
      [511, 385],
    ] as const) {
      const cut = makeImage({ width, height }, (x, y) =>
        Array.from(soft.data.subarray((y * side + x) * 3, (y * side + x) * 3 + 3)),
      );
      const { across, down, scales } = await measure(cut);
      expect([across, down, scales.length]).toEqual([Math.ceil(width / 256), Math.ceil(height / 256), across * down]);
      for (const scale of scales) expect(scale).toBeLessThan(0.7);
    }
  });
});

describe('workingFactor', () => {
  it('is 1.3 times the scale, at least a quarter of the target, and at most 1', () => {
    expect(workingFactor(0.5, 2)).toBeCloseTo(0.65);
    expect(workingFactor(0.35, 3)).toBe(0.75);
    expect(workingFactor(0.5, 4)).toBe(1);
    expect(workingFactor(1, 2)).toBe(1);
  });
});
