import type { Inspection } from '@uprez/contracts/schemas/image-plan';
import { findPngPixels } from '../count-frames.ts';
import { readTiff } from '../read-tiff.ts';
import type { WorkBudget } from '../work-budget.ts';
import { countAvifPixels, countHeicPixels } from './heif-pixels.ts';
import { countJpegPixels } from './jpeg-scans.ts';
import { countJxlPixels } from './jxl-pixels.ts';
import { countTiffPixels } from './tiff-pixels.ts';
import { weighBytes } from './weigh-bytes.ts';

/** Pixels that take as long as one in Lab, which is converted by our own code. */
const labPixels = 8;
/** Files cost a part more than their pixels, such as the margins of tiles, without being other than most. */
const usual = 1.25;

/**
 * Pixels of an ordinary image of the same format that take as long to decode as this file. Returns undefined where its own pixels
 * tell. Throws AppError `image_too_complex` for files that no encoder writes, and `corrupt_image`.
 */
export function countDecodedPixels(file: Buffer, image: Inspection, budget: WorkBudget): number | undefined {
  const { width, height, frames } = image;
  const pixels = count(file, image, budget);
  return pixels > usual * width * height * frames ? pixels : undefined;
}

function count(file: Buffer, image: Inspection, budget: WorkBudget): number {
  const { format, width, height, bitDepth } = image;
  if (format === 'jpeg') return countJpegPixels(file);
  if (format === 'tiff') {
    const pixels = countTiffPixels(file, readTiff(file, { budget }), image);
    return image.space === 'lab' ? Math.max(pixels, labPixels * width * height) : pixels;
  }
  if (format === 'heic') return countHeicPixels(file, () => budget.take('heic'));
  if (format === 'avif') return countAvifPixels(file, () => budget.take('heic'));
  if (format === 'jxl') return countJxlPixels(file, () => budget.take('jxl'));
  if (format === 'webp') return weighBytes('webp', file.length);
  if (format !== 'png') return 0;
  // A stream can hold more blocks of codes than pixels.
  const stored = width * height * pngSamples * Math.ceil(bitDepth / 8) + height;
  return width * height + weighBytes('png', file.length - findPngPixels(file, budget) - stored);
}

/** Most samples of a pixel. */
const pngSamples = 4;
