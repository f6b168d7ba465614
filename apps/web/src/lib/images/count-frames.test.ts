import sharp from 'sharp';
import { expect, it } from 'vitest';
import { countFrames } from './count-frames.ts';

const pages = 5;
/** Frames of one color each, stacked vertically. */
async function animation() {
  const colors = Array.from({ length: pages }, (_, index) => ({ r: index * 50, g: 90, b: 200 - index * 40 }));
  const frames = colors.map((background) =>
    sharp({ create: { width: 16, height: 16, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(frames), { join: { animated: true } });
}

it.each(['gif', 'webp'] as const)('counts the frames of an animated %s', async (format) => {
  const file = await (await animation()).toFormat(format).toBuffer();
  expect(countFrames(file)).toBe(pages);
  // A truncated file has at most as many frames, and the parser ends.
  expect(countFrames(file.subarray(0, file.length / 2))).toBeLessThanOrEqual(pages);
});

it.each(['gif', 'webp', 'png', 'jpeg'] as const)('returns 1 for a %s without animation', async (format) => {
  const still = sharp({ create: { width: 16, height: 16, channels: 3, background: 'teal' } });
  expect(countFrames(await still.toFormat(format).toBuffer())).toBe(1);
});

it('returns 1 for an empty or truncated file', () => {
  expect(countFrames(new Uint8Array())).toBe(1);
  expect(countFrames(new TextEncoder().encode('GIF89a'))).toBe(1);
});
