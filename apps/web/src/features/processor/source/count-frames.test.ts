import sharp from 'sharp';
import { expect, it } from 'vitest';
import { countFrames } from './count-frames.ts';

const pages = 5;
/** Squares of one colour each, one below the other: the frames of an animation. */
async function animation() {
  const colours = Array.from({ length: pages }, (_, index) => ({ r: index * 50, g: 90, b: 200 - index * 40 }));
  const frames = colours.map((background) =>
    sharp({ create: { width: 16, height: 16, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(frames), { join: { animated: true } });
}

it.each(['gif', 'webp'] as const)('counts the frames of an animated %s', async (format) => {
  const file = await (await animation()).toFormat(format).toBuffer();
  expect(countFrames(file)).toBe(pages);
  // A file that was cut short counts what is there, and ends.
  expect(countFrames(file.subarray(0, file.length / 2))).toBeLessThanOrEqual(pages);
});

it.each(['gif', 'webp', 'png', 'jpeg'] as const)('finds one image in a %s that does not move', async (format) => {
  const still = sharp({ create: { width: 16, height: 16, channels: 3, background: 'teal' } });
  expect(countFrames(await still.toFormat(format).toBuffer())).toBe(1);
});

it('takes nothing for an image of one frame', () => {
  expect(countFrames(new Uint8Array())).toBe(1);
  expect(countFrames(new TextEncoder().encode('GIF89a'))).toBe(1);
});
