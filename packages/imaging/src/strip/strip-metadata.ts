import type { strippedFormats } from '../plan/may-return-source.ts';
import { stripGif } from './strip-gif.ts';
import { stripJpeg } from './strip-jpeg.ts';
import type { StripOptions } from './strip-options.ts';
import { stripPng } from './strip-png.ts';
import { stripWebp } from './strip-webp.ts';

const strips: Record<(typeof strippedFormats)[number], (file: Buffer, options: StripOptions) => Buffer> = {
  jpeg: stripJpeg,
  png: stripPng,
  webp: stripWebp,
  gif: stripGif,
};

/**
 * Removes what an image says besides its pixels, such as the place where a photo was taken, without a change to the pixels.
 * The orientation, the color profile, and animations stay. Throws `corrupt_image` for files that are cut off.
 */
export const stripMetadata = (file: Buffer, format: keyof typeof strips, options: StripOptions = {}): Buffer =>
  strips[format](file, options);
