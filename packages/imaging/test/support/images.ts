import { guardedSharp } from '../../src/decoders.ts';
import { makeSamples, type RowStream, type Samples } from '../../src/engine/rows/row-stream.ts';

/** Interleaved samples of 8 or 16 bits. */
export type Image = { width: number; height: number; channels: 1 | 2 | 3 | 4; data: Samples };
type Size = { width: number; height: number; channels?: Image['channels'] };
type Pixel = (x: number, y: number) => number[];

/** An image whose pixels a function gives, values 0-255. */
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

/** Smooth waves at several scales with a disc and a bar: edges and textures, the same each time. */
export const makePhoto = ({ width, height, channels = 3 }: Size): Image =>
  makeImage({ width, height, channels }, (x, y) => {
    const disc = Math.hypot(x - width * 0.4, y - height * 0.5) < Math.min(width, height) * 0.25 ? 0.35 : 0;
    const bar = x > width * 0.75 && x < width * 0.85 ? -0.3 : 0;
    return [0, 1, 2].map((k) => 255 * (wave(x, y, k) * 0.7 + disc + bar));
  });

const depthOf = ({ data }: Image) => (data instanceof Uint16Array ? 16 : 8);

/** The same image in 16 bits: white stays white. */
export const deepen = (image: Image): Image => ({
  ...image,
  data: Uint16Array.from(image.data, (v) => v * 257),
});

export function streamOf(image: Image): RowStream {
  const { width, height, channels, data } = image;
  let y = 0;
  return {
    width,
    height,
    channels,
    depth: depthOf(image),
    read: async (count) => {
      y += count;
      return data.subarray((y - count) * width * channels, y * width * channels);
    },
  };
}

export async function readAll(stream: RowStream): Promise<Image> {
  const { width, height, channels, depth } = stream;
  const data = makeSamples(depth, width * height * channels);
  // An odd number of rows at a time crosses the borders of bands and chunks.
  for (let y = 0; y < height; ) {
    const count = Math.min(7, height - y);
    data.set(await stream.read(count), y * width * channels);
    y += count;
  }
  return { width, height, channels: channels as Image['channels'], data };
}

const rawOf = ({ width, height, channels }: Image) => ({ raw: { width, height, channels } });
const spaces = { 8: { grey: 'b-w', color: 'srgb' }, 16: { grey: 'grey16', color: 'rgb16' } };
export const toSharp = (image: Image) =>
  guardedSharp(image.data, rawOf(image)).toColorspace(spaces[depthOf(image)][image.channels < 3 ? 'grey' : 'color']);

export const encodeAs = (image: Image, format: 'jpeg' | 'png' | 'webp'): Promise<Buffer> =>
  toSharp(image)
    .toFormat(format, { jpeg: { quality: 95 }, webp: { lossless: true }, png: {} }[format])
    .toBuffer();

/** Decode a file as stored: no orientation applied. */
export async function decodeFile(file: Buffer): Promise<Image> {
  const header = await guardedSharp(file).metadata();
  const { data, info } = await guardedSharp(file)
    .toColorspace(header.channels < 3 ? 'b-w' : 'srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { width, height, channels: channels as Image['channels'], data };
}

export function maxDifference(a: Image, b: Image, border = 0): number {
  if (a.width !== b.width || a.height !== b.height || a.channels !== b.channels) return Number.POSITIVE_INFINITY;
  let most = 0;
  for (let y = border; y < a.height - border; y++)
    for (let i = (y * a.width + border) * a.channels; i < ((y + 1) * a.width - border) * a.channels; i++)
      most = Math.max(most, Math.abs((a.data[i] ?? 0) - (b.data[i] ?? 0)));
  return most;
}

/** Peak signal-to-noise ratio, decibels. */
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
