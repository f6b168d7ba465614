import { expect, it } from 'vitest';
import { restoreLowFrequencies } from '../../src/engine/rows/restore-low-frequencies.ts';
import { readAll, streamOf } from '../support/image-streams.ts';
import { deepen, type Image, makePhoto } from '../support/images.ts';

const photo = makePhoto({ width: 61, height: 47 });
const largestDifference = (a: Image, b: Image) =>
  Math.max(...Array.from(a.data, (value, i) => Math.abs(value - (b.data[i] as number))));
const change = (image: Image, by: (x: number, y: number) => number): Image => ({
  ...image,
  data: image.data.map((value, i) => {
    const pixel = Math.floor(i / image.channels);
    return Math.max(0, Math.min(255, value + by(pixel % image.width, Math.floor(pixel / image.width))));
  }),
});
const restore = (image: Image, source: Image) => readAll(restoreLowFrequencies(streamOf(image), streamOf(source)));

it('keeps an image that equals its source, at both depths', async () => {
  expect(await restore(photo, photo)).toMatchObject({ data: photo.data });
  const deep = deepen(photo);
  expect(await restore(deep, deep)).toMatchObject({ data: deep.data });
});

it.each([
  { width: 1, height: 1 },
  { width: 3, height: 40 },
  { width: 40, height: 2 },
])('undoes a change of brightness up to the borders of $width x $height pixels', async (size) => {
  const gray: Image = { ...size, channels: 3, data: new Uint8Array(size.width * size.height * 3).fill(120) };
  const lighter = change(gray, () => 14);
  expect(largestDifference(await restore(lighter, gray), gray)).toBe(0);
});

it('keeps details of single pixels, and undoes changes of whole areas', async () => {
  const gray = { ...photo, data: photo.data.map(() => 120) };
  const fine = change(gray, (x, y) => ((x + y) % 2 === 0 ? 10 : -10));
  const coarse = change(fine, (x) => 10 * Math.sin(x / 10));
  // Differs at the border only, where repeated pixels are no longer a checkerboard.
  expect(largestDifference(await restore(fine, gray), fine)).toBeLessThanOrEqual(2);
  expect(largestDifference(await restore(coarse, gray), fine)).toBeLessThanOrEqual(3);
});
