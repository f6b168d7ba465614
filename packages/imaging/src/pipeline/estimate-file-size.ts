import {
  formatTraits,
  type InputFormat,
  type OutputFormat,
  qualityRange,
} from '@uprez/contracts/policy/images/image-formats';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { usedSize } from './compute-target-size.ts';

/**
 * Model for the bytes per pixel of a result. `from`: bytes per pixel for a photo with 1 byte per pixel, at 2x and
 * quality 95. `detail` and `factor`: exponents of the source's bytes per pixel and of the scale.
 */
type Model = {
  /**
   * Values by the compression of the source, because the same detail takes more bytes as PNG than as JPEG, and fewer as
   * WebP.
   */
  from: Record<'png' | 'jpeg' | 'webp', number>;
  detail: number;
  factor: number;
};

/**
 * Fitted by least squares of logarithms to 351 results from 13 photos (PNG, JPEG at quality 75 and 92, WebP) at 2x and
 * 4x, with `standard` and `photo-fast`, at quality 75 and 95. Median error for photos that weren't part of the fit: PNG
 * 15%, TIFF 17%, JPEG 20%, WebP 27%, AVIF 16%, all formats 20%. A constant per format has a median error of 67%, and
 * overestimates smooth photos by a factor of up to 26.
 */
const models: Record<Exclude<OutputFormat, 'gif'>, Model> = {
  png: { from: { png: 0.873, jpeg: 3.225, webp: 4.175 }, detail: 0.695, factor: -0.102 },
  tiff: { from: { png: 0.969, jpeg: 3.811, webp: 4.968 }, detail: 0.72, factor: -0.187 },
  jpeg: { from: { png: 0.196, jpeg: 1.103, webp: 1.576 }, detail: 0.946, factor: -0.219 },
  webp: { from: { png: 0.123, jpeg: 1.137, webp: 1.828 }, detail: 1.173, factor: -0.366 },
  // Measured only at 2x. JPEG XL was measured with 6 photos, for which the median error is 19%.
  avif: { from: { png: 0.182, jpeg: 0.819, webp: 1.244 }, detail: 0.836, factor: -0.2 },
  jxl: { from: { png: 0.112, jpeg: 0.598, webp: 0.928 }, detail: 0.872, factor: -0.2 },
};

/**
 * Compressions of the source formats in which the file size indicates how detailed an image is. BMP and most TIFF files
 * aren't compressed.
 */
const compressions: Partial<Record<InputFormat, keyof Model['from']>> = {
  png: 'png',
  jpeg: 'jpeg',
  webp: 'webp',
  avif: 'webp',
  heic: 'webp',
  jxl: 'webp',
};

/**
 * Median bytes per pixel of the measured results at quality 95. Used for all other sources. The GIF value was measured
 * with drawings.
 */
const typicalBytesPerPixel: Record<OutputFormat, number> = {
  png: 1.25,
  tiff: 1.3,
  jpeg: 0.27,
  webp: 0.2,
  avif: 0.24,
  jxl: 0.16,
  gif: 0.8,
};

/**
 * Returns the file size relative to quality 95. Files hardly grow further above quality 98. The exponent and range were
 * measured for JPEG and WebP at quality 75 and 95.
 */
const sizeShareOfQuality = (quality: number): number => (5 / Math.max(2, 100 - quality)) ** 0.7;

type SizedPipeline = Pick<ImagePipeline, 'source' | 'crop' | 'output'>;

type Compression = Pick<ImagePipeline['output'], 'format' | 'quality' | 'lossless'>;

/** Whether a result is lossless at any quality, so that its quality has no effect. */
export const ignoresQuality = ({ format, lossless }: Pick<Compression, 'format' | 'lossless'>): boolean =>
  !formatTraits[format].lossy || lossless === true;

/** Whether a result is lossless. JPEG XL is also lossless at the highest quality. */
export const isLossless = (output: Compression): boolean =>
  ignoresQuality(output) || (output.format === 'jxl' && output.quality === qualityRange.max);
/** Size of lossless JPEG XL relative to PNG: 0.46-0.52 for photos at 2x. */
const losslessShare = 0.48;
/** Size of lossless WebP relative to PNG, according to Google's comparison of both formats. */
const losslessWebpShare = 0.74;

function estimateDensity({ source, crop, output }: SizedPipeline, sourceBytes: number | undefined): number {
  const compression = compressions[source.format];
  if (output.format === 'gif' || !compression || !sourceBytes) return typicalBytesPerPixel[output.format];
  const { from, detail, factor } = models[output.format];
  const density = sourceBytes / (source.width * source.height * source.frames * (source.bitDepth / 8));
  const scale = output.width / usedSize({ source, crop }).width;
  return from[compression] * density ** detail * (scale / 2) ** factor;
}

/**
 * Estimates the size of a result, in bytes, from the size of its source. If that is unknown, assumes a typical photo.
 */
export function estimateFileSize(work: SizedPipeline, sourceBytes: number | undefined): number {
  const { lossless: _, ...output } = work.output;
  if (formatTraits[output.format].lossy && isLossless(work.output)) {
    const asPng: SizedPipeline = { ...work, output: { ...output, format: 'png' } };
    const share = work.output.format === 'jxl' ? losslessShare : losslessWebpShare;
    return Math.ceil(share * estimateFileSize(asPng, sourceBytes));
  }
  const { width, height, format, quality, frames, bitDepth } = work.output;
  const depth = bitDepth / 8;
  const share = formatTraits[format].lossy ? sizeShareOfQuality(quality) : depth;
  // Limits the size to that of raw pixels, because encoders store noise uncompressed.
  const density = Math.min(4 * depth, estimateDensity(work, sourceBytes) * share);
  return Math.ceil(width * height * frames * density);
}
