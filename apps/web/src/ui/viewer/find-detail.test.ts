import { expect, it } from 'vitest';
import { findDetail } from './find-detail.ts';

/** Gray pixels with a checkered square, pixels. */
function makePixels({ left = 0, top = 0, side = 0 }) {
  const [width, height] = [128, 64];
  const data = new Uint8ClampedArray(4 * width * height).fill(128);
  for (let y = top; y < top + side; y++)
    for (let x = left; x < left + side; x++)
      data.fill((x + y) % 2 ? 255 : 0, 4 * (y * width + x), 4 * (y * width + x) + 3);
  return { data, width, height };
}

it('finds the window with the highest contrast', () => {
  const { x, y } = findDetail(makePixels({ left: 96, top: 8, side: 16 }));
  expect(x * 128).toBeGreaterThan(88);
  expect(x * 128).toBeLessThan(120);
  expect(y * 64).toBeGreaterThanOrEqual(8);
  expect(y * 64).toBeLessThanOrEqual(24);
});

it('returns the center of an image without contrast', () =>
  expect(findDetail(makePixels({}))).toEqual({ x: 0.5, y: 0.5 }));
