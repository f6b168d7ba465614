import type { Samples } from '../../src/engine/rows/row-stream.ts';

/** Interleaved samples of 8 or 16 bits. */
export type Image = { width: number; height: number; channels: 1 | 2 | 3 | 4; data: Samples };
type Size = { width: number; height: number; channels?: Image['channels'] };
type Pixel = (x: number, y: number) => number[];

/** Creates an image from a function that returns pixels of 0-255. */
export function makeImage({ width, height, channels = 3 }: Size, pixel: Pixel): Image {
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const samples = pixel(x, y);
      for (let c = 0; c < channels; c++)
        data[(y * width + x) * channels + c] = Math.max(0, Math.min(255, Math.round(samples[c] ?? 255)));
    }
  return { width, height, channels, data };
}

const wave = (x: number, y: number, k: number) =>
  0.5 + 0.25 * Math.sin(x / (5 + k) + k) + 0.15 * Math.sin(y / (7 - k)) + 0.1 * Math.sin((x + y) / 3.1 + k);

/** Creates smooth waves at several scales with a disc and a bar. Deterministic. */
export const makePhoto = ({ width, height, channels = 3 }: Size): Image =>
  makeImage({ width, height, channels }, (x, y) => {
    const disc = Math.hypot(x - width * 0.4, y - height * 0.5) < Math.min(width, height) * 0.25 ? 0.35 : 0;
    const bar = x > width * 0.75 && x < width * 0.85 ? -0.3 : 0;
    return [0, 1, 2].map((k) => 255 * (wave(x, y, k) * 0.7 + disc + bar));
  });

export const depthOf = ({ data }: Image) => (data instanceof Uint16Array ? 16 : 8);

/** Converts an image to 16 bits. */
export const deepen = (image: Image): Image => ({
  ...image,
  data: Uint16Array.from(image.data, (v) => v * 257),
});

export function maxDifference(a: Image, b: Image, border = 0): number {
  if (a.width !== b.width || a.height !== b.height || a.channels !== b.channels) return Number.POSITIVE_INFINITY;
  let most = 0;
  for (let y = border; y < a.height - border; y++)
    for (let i = (y * a.width + border) * a.channels; i < ((y + 1) * a.width - border) * a.channels; i++)
      most = Math.max(most, Math.abs((a.data[i] ?? 0) - (b.data[i] ?? 0)));
  return most;
}

/** Returns the peak signal-to-noise ratio, decibels. */
export function psnr(a: Image, b: Image): number {
  if (a.data.length !== b.data.length) return 0;
  let squares = 0;
  for (let i = 0; i < a.data.length; i++) squares += ((a.data[i] ?? 0) - (b.data[i] ?? 0)) ** 2;
  return 10 * Math.log10((2 ** depthOf(a) - 1) ** 2 / (squares / a.data.length));
}

export const pickChannel = (image: Image, channel: number): Image =>
  makeImage({ width: image.width, height: image.height, channels: 1 }, (x, y) => [
    image.data[(y * image.width + x) * image.channels + channel] ?? 0,
  ]);
