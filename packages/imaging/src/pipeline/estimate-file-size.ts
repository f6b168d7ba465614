import {
  formatTraits,
  type InputFormat,
  type OutputFormat,
  qualityRange,
} from '@uprez/contracts/policy/images/image-formats';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { usedSize } from './target-size.ts';

/** The result of a photo with 1 byte per pixel at 2x and quality 95, bytes per pixel; and the exponents of both. */
type Model = {
  /** By the compression of the source: the same detail takes more bytes as PNG than as JPEG, and fewer as WebP. */
  from: Record<'png' | 'jpeg' | 'webp', number>;
  detail: number;
  factor: number;
};

/**
 * Fitted by least squares of logarithms to 351 results of 13 photos (PNG, JPEG at quality 75 and 92, WebP) at 2x and 4x,
 * `standard` and `photo-fast`, quality 75 and 95. Median error for photos that a fit hasn't seen: PNG 15%, TIFF 17%, JPEG
 * 20%, WebP 27%, AVIF 16%, all 20%. A constant per format had 67%, and up to 26 times too much for smooth photos.
 */
const models: Record<Exclude<OutputFormat, 'gif'>, Model> = {
  png: { from: { png: 0.873, jpeg: 3.225, webp: 4.175 }, detail: 0.695, factor: -0.102 },
  tiff: { from: { png: 0.969, jpeg: 3.811, webp: 4.968 }, detail: 0.72, factor: -0.187 },
  jpeg: { from: { png: 0.196, jpeg: 1.103, webp: 1.576 }, detail: 0.946, factor: -0.219 },
  webp: { from: { png: 0.123, jpeg: 1.137, webp: 1.828 }, detail: 1.173, factor: -0.366 },
  // Measured at 2x alone; JPEG XL with 6 photos, for which the median error is 19%.
  avif: { from: { png: 0.182, jpeg: 0.819, webp: 1.244 }, detail: 0.836, factor: -0.2 },
  jxl: { from: { png: 0.112, jpeg: 0.598, webp: 0.928 }, detail: 0.872, factor: -0.2 },
};

/** Sources whose bytes tell their detail, by their compression. BMP and most TIFF files are not compressed. */
const compressions: Partial<Record<InputFormat, keyof Model['from']>> = {
  png: 'png',
  jpeg: 'jpeg',
  webp: 'webp',
  avif: 'webp',
  heic: 'webp',
  jxl: 'webp',
};

/** Median of the measured results at quality 95, bytes per pixel, for other sources. GIF: of drawings. */
const typicalBytes: Record<OutputFormat, number> = {
  png: 1.25,
  tiff: 1.3,
  jpeg: 0.27,
  webp: 0.2,
  avif: 0.24,
  jxl: 0.16,
  gif: 0.8,
};

/** Files above quality 98 hardly grow further. Exponent and range as measured for JPEG and WebP at quality 75 and 95. */
const qualityShare = (quality: number): number => (5 / Math.max(2, 100 - quality)) ** 0.7;

type Sized = Pick<ImagePipeline, 'source' | 'crop' | 'output'>;

/** Whether a result is JPEG XL without loss. */
export const isLosslessJxl = ({ format, quality }: Pick<ImagePipeline['output'], 'format' | 'quality'>): boolean =>
  format === 'jxl' && quality === qualityRange.max;
/** Its bytes relative to PNG: 0.46-0.52 for photos at 2x. */
const losslessShare = 0.48;

/** Bytes per pixel at quality 95 and 8 bits per sample. */
function estimateDensity({ source, crop, output }: Sized, sourceBytes: number | undefined): number {
  const compression = compressions[source.format];
  if (output.format === 'gif' || !compression || !sourceBytes) return typicalBytes[output.format];
  const { from, detail, factor } = models[output.format];
  const density = sourceBytes / (source.width * source.height * source.frames * (source.bitDepth / 8));
  const scale = output.width / usedSize({ source, crop }).width;
  return from[compression] * density ** detail * (scale / 2) ** factor;
}

/** Estimate the bytes of a result from those of its source, or from a typical photo when they are unknown. */
export function estimateFileSize(work: Sized, sourceBytes: number | undefined): number {
  if (isLosslessJxl(work.output)) {
    const asPng: Sized = { ...work, output: { ...work.output, format: 'png' } };
    return Math.ceil(losslessShare * estimateFileSize(asPng, sourceBytes));
  }
  const { width, height, format, quality, frames, bitDepth } = work.output;
  const depth = bitDepth / 8;
  const share = formatTraits[format].lossy ? qualityShare(quality) : depth;
  // Encoders store noise without compressing it.
  const density = Math.min(4 * depth, estimateDensity(work, sourceBytes) * share);
  return Math.ceil(width * height * frames * density);
}
