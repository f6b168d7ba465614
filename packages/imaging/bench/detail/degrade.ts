import type { KernelEnum } from 'sharp';
import { makeRandom } from '../../src/calibrate/tile.ts';
import { guardedSharp } from '../../src/decoders.ts';
import { decodeFile, toSharp } from '../../test/support/image-files.ts';
import { type Image, makeImage } from '../../test/support/images.ts';

/** Ways to lose resolution. `gaussian` has the same size throughout. */
export const softenKinds = ['bicubic', 'bilinear', 'lanczos', 'gaussian'] as const;
export type Softening = (typeof softenKinds)[number];

const kernels = { bicubic: 'cubic', bilinear: 'linear', lanczos: 'lanczos3', nearest: 'nearest' } as const;
type Size = { width: number; height: number };

export async function resizeTo(
  image: Image,
  { width, height }: Size,
  kernel: keyof KernelEnum = 'lanczos3',
): Promise<Image> {
  const resized = toSharp(image).resize({ width, height, fit: 'fill', kernel });
  return { width, height, channels: image.channels, data: await resized.raw().toBuffer() };
}

export async function upscale(small: Image, size: Size, how: keyof typeof kernels): Promise<Image> {
  return resizeTo(small, size, kernels[how]);
}

/** Returns an image of the same size that holds the share `factor` of the detail. */
export async function soften(image: Image, factor: number, how: Softening): Promise<Image> {
  if (factor === 1) return image;
  // The filter passes a tenth of the contrast at the frequency that belongs to the factor.
  if (how === 'gaussian') return blur(image, 0.683 / factor);
  const { width, height } = image;
  const small = { width: Math.round(width * factor), height: Math.round(height * factor) };
  return upscale(await resizeTo(image, small), { width, height }, how);
}

export async function blur(image: Image, sigma: number): Promise<Image> {
  const blurred = toSharp(image).blur({ sigma, precision: 'float', minAmplitude: 0.001 });
  return { ...image, data: await blurred.raw().toBuffer() };
}

/** Adds the difference from a blurred image. */
export async function sharpen(image: Image, amount: number, sigma: number): Promise<Image> {
  const { data } = await blur(image, sigma);
  return mapSamples(image, (value, i) => value + amount * (value - (data[i] ?? 0)));
}

export async function compress(image: Image, quality: number): Promise<Image> {
  const chromaSubsampling = quality > 90 ? '4:4:4' : '4:2:0';
  return decodeFile(await toSharp(image).jpeg({ quality, chromaSubsampling }).toBuffer());
}

const mapSamples = (image: Image, change: (value: number, i: number) => number): Image => ({
  ...image,
  data: Uint8Array.from(image.data, (value, i) => Math.max(0, Math.min(255, Math.round(change(value, i))))),
});

const normalOf = (random: () => number) => () =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Adds white noise of equal strength to all channels. */
export function addNoise(image: Image, sigma: number, seed: number): Image {
  const normal = normalOf(makeRandom(seed));
  const noise = Float32Array.from({ length: image.width * image.height }, () => sigma * normal());
  return mapSamples(image, (value, i) => value + (noise[Math.floor(i / image.channels)] ?? 0));
}

/** Adds noise of a camera: stronger in light areas, and partly correlated, as after demosaicing. */
export async function addCameraNoise(image: Image, seed: number): Promise<Image> {
  const normal = normalOf(makeRandom(seed));
  const gray = makeImage({ width: image.width, height: image.height }, () => {
    const luma = 14 * normal();
    return [0, 1, 2].map(() => 128 + luma + 6 * normal());
  });
  const [fine, wide] = [gray.data, (await blur(gray, 0.7)).data];
  return mapSamples(image, (value, i) => {
    const strength = (3 + 2.5 * Math.sqrt(value / 255)) / 14;
    return value + strength * (0.5 * ((fine[i] ?? 0) - 128) + 0.9 * ((wide[i] ?? 0) - 128));
  });
}

/** Pastes a part with faded borders, which are no detail themselves. */
export function pasteFaded(
  image: Image,
  part: Image,
  { left, top, fade }: { left: number; top: number; fade: number },
): void {
  const ramp = (i: number, length: number) => Math.min(1, (Math.min(i, length - 1 - i) + 0.5) / fade);
  const smooth = (t: number) => t * t * (3 - 2 * t);
  for (let y = 0; y < part.height; y++)
    for (let x = 0; x < part.width; x++) {
      const share = smooth(ramp(x, part.width)) * smooth(ramp(y, part.height));
      for (let c = 0; c < 3; c++) {
        const at = ((top + y) * image.width + left + x) * 3 + c;
        const own = image.data[at] ?? 0;
        image.data[at] = Math.round(own + share * ((part.data[(y * part.width + x) * 3 + c] ?? 0) - own));
      }
    }
}

/** Draws SVG elements on an image. */
export async function drawOn(image: Image, elements: string): Promise<Image> {
  const { width, height } = image;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${elements}</svg>`;
  guardedSharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] });
  const drawn = toSharp(image).composite([{ input: Buffer.from(svg) }]);
  return { ...image, data: await drawn.removeAlpha().raw().toBuffer() };
}
