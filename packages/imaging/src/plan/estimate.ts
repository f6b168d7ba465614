import { type EngineName, isAiEngine } from '@uprez/contracts/policy/engines';
import { formatTraits, type InputFormat, type OutputFormat } from '@uprez/contracts/policy/image-formats';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import { networkFactor } from './count-passes.ts';
import type { JobLimits } from './job-limits.ts';
import { networkBytes, tileCacheBytes } from './network-bytes.ts';
import { defaultSpeeds } from './speeds.ts';
import { usedSize } from './target-size.ts';

export type Work = Omit<ImagePlan, 'estimate'>;

const MB = 1024 * 1024;
/** The child with its libraries loaded, and what networks of earlier runs have taken and do not give back. */
const baseBytes = 130 * MB;
const keptBytes = 200 * MB;
/** Bytes a pixel of the finished file, at quality 95; lossy files shrink with their quality. */
const fileBytes: Record<OutputFormat, number> = { png: 1.6, jpeg: 0.45, webp: 0.35, avif: 0.3, tiff: 1.8, gif: 0.8 };
/** What an encoder holds of one frame, bytes a pixel: JPEG its coefficients, WebP planes and tokens, AVIF its frames, GIF two copies. */
const encoderBytes: Record<OutputFormat, number> = { png: 0, jpeg: 12, webp: 10, avif: 34, tiff: 0, gif: 12 };
/** Above this, JPEG is coded without holding its coefficients. */
const maxJpegBytes = 200_000_000;
/** Finished frames of an animation that are held until its end, bytes a pixel. */
const frameBytes = 1;
/** What a decoder holds of an image that it cannot read row by row, bytes a pixel; measured at 49 and 100 megapixels. */
const decoderBytes: Record<InputFormat, number> = {
  jpeg: 6.5,
  png: 5,
  webp: 8.5,
  gif: 5.5,
  tiff: 7,
  bmp: 5.5,
  avif: 18,
};
/** Times as much for more than 8 bits a sample: AVIF's frames have 16 bits already. */
const deepDecoder = (format: InputFormat) => (format === 'avif' ? 1.4 : 2);
/** A search for a file size encodes this often. */
const searchRuns = 6;

const tilePixels = (tile: ImagePlan['tile']) => (tile ? (tile.core + 2 * tile.overlap) ** 2 : 0);
const area = ({ width, height }: { width: number; height: number }) => width * height;

/** What all passes and frames draw together. */
function drawnPixels(work: Work): number {
  let pixels = 0;
  for (let pass = 1; pass <= work.passes; pass++) pixels += area(usedSize(work)) * networkFactor ** (2 * pass);
  return pixels * work.output.frames;
}

function networkSeconds(engine: EngineName, pixels: number, speed: JobLimits['speed']): number {
  return isAiEngine(engine) ? pixels / (speed?.[engine] ?? defaultSpeeds.network[engine]) : 0;
}

/** Expected seconds of each stage of a run, on the machine that `speeds.ts` was measured on. */
export function estimateStages(work: Work, speed?: JobLimits['speed']) {
  const { engine, source, tile, tiles, output, shrinks } = work;
  const pixels = area(output) * output.frames;
  const encodes = output.targetBytes && formatTraits[output.format].lossy ? searchRuns : 1;
  return {
    decode: (area(source) * output.frames) / defaultSpeeds.decode,
    enlarge: networkSeconds(engine, tiles * tilePixels(tile), speed),
    resample: (shrinks ? 0 : pixels / defaultSpeeds.resample) + drawnPixels(work) / defaultSpeeds.correct,
    check: pixels / defaultSpeeds.compare,
    encode: (encodes * pixels) / defaultSpeeds.encode[output.format],
    thumbnail: defaultSpeeds.fixedSeconds + pixels / defaultSpeeds.thumbnail,
  };
}

function estimateMemory(work: Work): number {
  const { engine, source, tile, output, passes } = work;
  const deep = output.bitDepth / 8;
  const depth = source.bitDepth > 8 ? deepDecoder(source.format) : 1;
  const whole = source.decodesWhole ? area(source) * output.frames * decoderBytes[source.format] * depth : 0;
  const frame = area(output) * encoderBytes[output.format];
  const held = output.frames > 1 ? area(output) * output.frames * frameBytes : 0;
  const encoder = output.format === 'jpeg' ? Math.min(frame, maxJpegBytes) : frame + held;
  if (!isAiEngine(engine) || !tile) return baseBytes + keptBytes + Math.max(whole, encoder);
  const width = usedSize(work).width * networkFactor ** passes;
  const strip = width * (tile.core + 2 * tile.overlap) * networkFactor * 3 * deep;
  const network = networkBytes[engine].weights + tilePixels(tile) * networkBytes[engine].pixel;
  const remembered = output.frames > 1 ? tileCacheBytes : 0;
  return baseBytes + network + remembered + Math.max(strip, whole, encoder);
}

/** Expected seconds, peak resident memory and file size of a run. */
export function estimate(work: Work, speed?: JobLimits['speed']): ImagePlan['estimate'] {
  const stages = estimateStages(work, speed);
  const { width, height, format, quality, frames, bitDepth, targetBytes } = work.output;
  const finer = formatTraits[format].lossy ? (quality / 95) ** 2 : bitDepth / 8;
  const bytes = Math.ceil(width * height * frames * fileBytes[format] * finer);
  return {
    seconds: Object.values(stages).reduce((sum, seconds) => sum + seconds, 0),
    peakMemoryBytes: estimateMemory(work),
    outputBytes: Math.min(bytes, targetBytes ?? bytes),
  };
}
