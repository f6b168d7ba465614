import { type EngineName, isAiEngine } from '@uprez/contracts/engines';
import type { ImagePlan } from '@uprez/contracts/image-plan';
import type { OutputFormat } from '@uprez/contracts/picture-formats';
import type { JobLimits } from './job-limits.ts';
import { defaultSpeeds } from './speeds.ts';

export type Work = Pick<ImagePlan, 'engine' | 'source' | 'tile' | 'tiles' | 'output'>;

const MB = 1024 * 1024;
/** The child with its libraries loaded. */
const baseBytes = 130 * MB;
/** Resident bytes of a network by pixel of its tile, overlap included, and of its weights. */
const networkBytes = { 'photo-fast': { pixel: 2_400, weights: 30 * MB }, photo: { pixel: 25_000, weights: 120 * MB } };
/** Bytes a pixel of the finished file, at quality 95; JPEG and WebP shrink with their quality. */
const fileBytes: Record<OutputFormat, number> = { png: 1.6, jpeg: 0.45, webp: 0.35 };
/** What an encoder holds of the whole picture, bytes a pixel: WebP keeps its planes and tokens. */
const encoderBytes: Record<OutputFormat, number> = { png: 0, jpeg: 0, webp: 10 };

const tilePixels = (tile: ImagePlan['tile']) => (tile ? (tile.core + 2 * tile.overlap) ** 2 : 0);

function networkSeconds(engine: EngineName, pixels: number, speed: JobLimits['speed']): number {
  return isAiEngine(engine) ? pixels / (speed?.[engine] ?? defaultSpeeds.network[engine]) : 0;
}

/** Expected seconds of each stage of a run, on the machine that `speeds.ts` was measured on. */
export function estimateStages({ engine, source, tile, tiles, output }: Work, speed?: JobLimits['speed']) {
  const pixels = output.width * output.height;
  return {
    decode: (source.width * source.height) / defaultSpeeds.decode,
    enlarge: networkSeconds(engine, tiles * tilePixels(tile), speed),
    resample: pixels / defaultSpeeds.resample,
    check: pixels / defaultSpeeds.compare,
    encode: pixels / defaultSpeeds.encode[output.format],
    thumbnail: defaultSpeeds.fixedSeconds + pixels / defaultSpeeds.thumbnail,
  };
}

function estimateMemory({ engine, source, tile, output }: Work): number {
  const whole = source.decodesWhole ? source.width * source.height * 6 : 0;
  const encoder = output.width * output.height * encoderBytes[output.format];
  if (!isAiEngine(engine) || !tile) return baseBytes + Math.max(whole, encoder);
  const strip = source.width * (tile.core + 2 * tile.overlap) * 16 * 3;
  const network = networkBytes[engine].weights + tilePixels(tile) * networkBytes[engine].pixel;
  return baseBytes + network + Math.max(strip, whole, encoder);
}

/** Expected seconds, peak resident memory and file size of a run. */
export function estimate(work: Work, speed?: JobLimits['speed']): ImagePlan['estimate'] {
  const stages = estimateStages(work, speed);
  const { width, height, format, quality } = work.output;
  const finer = format === 'png' ? 1 : (quality / 95) ** 2;
  return {
    seconds: Object.values(stages).reduce((sum, seconds) => sum + seconds, 0),
    peakMemoryBytes: estimateMemory(work),
    outputBytes: Math.ceil(width * height * fileBytes[format] * finer),
  };
}
