import {
  type AiEngine,
  type EngineVariant,
  isAiEngine,
  isCustomEngine,
  type ModelEngine,
} from '@uprez/contracts/policy/images/engines';
import type { InputFormat, OutputFormat } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { choosePasses, countStripPixels, countTilePixels, networkFactor, traitsOf } from './choose-passes.ts';
import { computeFactor, shrinksInRows, usedSize } from './compute-target-size.ts';
import { estimateFileSize, ignoresQuality, isLossless } from './estimate-file-size.ts';
import type { JobLimits } from './job-limits.ts';
import { largestWorkingFactor, mayWorkSmaller } from './working-size.ts';
import { addMargin, computeWrapMargin } from './wrap-margin.ts';

/**
 * Speeds in pixels per second on two cores of a server CPU (AVX-512). Networks are measured in input pixels of tiles or
 * strips, everything else in image pixels.
 */
export const defaultSpeeds = {
  network: { 'photo-fast': 150_000, photo: 12_000, art: 17_000, 'art-fast': 120_000 } satisfies Record<
    AiEngine,
    number
  >,
  decode: 40_000_000,
  /** Decoding speeds of AVIF, and of formats that are decoded in WebAssembly. */
  slowDecode: { avif: 16_000_000, heic: 8_000_000, jxl: 5_000_000 } as Partial<Record<InputFormat, number>>,
  /** Speed of matching the colors of a network's output to its input. */
  correct: 15_000_000,
  resample: 30_000_000,
  encode: {
    png: 20_000_000,
    jpeg: 12_000_000,
    webp: 11_000_000,
    avif: 2_000_000,
    jxl: 4_000_000,
    tiff: 28_000_000,
    gif: 3_300_000,
  } satisfies Record<OutputFormat, number>,
  /** Speeds of lossless encoding, where it differs. WebP: 0.9-1.4 megapixels per second at 17 megapixels, 2 at 4. */
  encodeLossless: { jxl: 2_000_000, webp: 1_000_000 } as Partial<Record<OutputFormat, number>>,
  /** Seconds to start a decoder or an encoder in WebAssembly. */
  startDecoder: { jxl: 0.4 } as Partial<Record<InputFormat, number>>,
  startEncoder: { jxl: 0.4 } as Partial<Record<OutputFormat, number>>,
  grain: 40_000_000,
  /** Speed of converting to CMYK and measuring its ink. */
  print: 15_000_000,
  compare: 300_000_000,
  thumbnail: 300_000_000,
  /** Seconds that every run takes to open files, write the thumbnail, and compare. */
  fixedSeconds: 0.1,
};

/**
 * Speeds of networks that run in strips in INT8, but not in FP32. `makePipeline` doesn't know the variant and plans
 * strips for FP32 too. Each speed is therefore the number of pixels in these strips, divided by the seconds that the
 * overlapping tiles take.
 */
const fp32Speeds: Partial<Record<AiEngine, number>> = { photo: 2_000 };

/** Returns the expected speed of a network before its first run, or undefined if that is the default speed. */
export const expectedSpeed = (engine: ModelEngine, variant: EngineVariant): number | undefined =>
  variant === 'fp32' && !isCustomEngine(engine) ? fp32Speeds[engine] : undefined;

export type Work = Omit<ImagePipeline, 'estimate'>;

const MB = 1024 * 1024;
/** Resident memory of the child with its libraries, and of networks kept from earlier runs, in bytes. */
const baseBytes = 130 * MB;
const keptNetworkBytes = 200 * MB;
/**
 * Encoder memory for one frame, in bytes per pixel: JPEG coefficients, WebP planes and tokens, AVIF frames, and two GIF
 * copies.
 */
const encoderBytesPerPixel: Record<Exclude<OutputFormat, 'jxl'>, number> = {
  ...{ png: 0, jpeg: 12, webp: 10, avif: 34, tiff: 0, gif: 12 },
};
/**
 * Memory of the lossless WebP encoder for one frame, in bytes per pixel. Measured at 4 and 17 megapixels: 37-38 for
 * photos, and 43-45 for noise.
 */
const losslessWebpBytesPerPixel = 45;
/** Maximum memory of the JPEG encoder, in bytes. Larger images are encoded without storing their coefficients. */
const maxJpegBytes = 200_000_000;
/** Memory for the encoded frames of an animation, in bytes per pixel. */
const encodedFrameBytesPerPixel = 1;
/**
 * Memory of the JPEG XL encoder, including its library. Small images take `least` bytes, plus `small` bytes per pixel.
 * Larger images take `base` bytes, plus `pixel` bytes per pixel, and `alpha` bytes per pixel if they have transparency.
 */
const jxlEncoderMemory = { least: 100 * MB, small: 110, base: 420 * MB, pixel: 9, alpha: 4 } as const;
/** Size of the tile cache for an animation, in bytes. It holds the tiles of one frame. */
export const tileCacheBytes = 192 * MB;
/** Decoder memory for images that aren't read row by row, in bytes per pixel. Measured at 49 and 100 megapixels. */
const decoderBytesPerPixel: Record<InputFormat, number> = {
  jpeg: 6.5,
  png: 5,
  webp: 8.5,
  gif: 5.5,
  tiff: 7,
  bmp: 5.5,
  avif: 18,
  heic: 11,
  jxl: 11,
};
/** For more than 8 bits per sample. AVIF has a smaller factor, because its frames always have 16 bits. */
const deepDecodeFactor = (format: InputFormat) => (format === 'avif' ? 1.4 : 2);
const searchRuns = 6;

const areaOf = ({ width, height }: { width: number; height: number }) => width * height;

/** Returns the size of the used part of the source, with its margin. */
export const paddedSize = (work: Pick<Work, 'engine' | 'source' | 'crop' | 'output'>) =>
  addMargin(usedSize(work), computeWrapMargin(work.engine, usedSize(work), work.output));

/** Returns the input pixels of the network's tiles or strips. For `crisp`, this is the most that they can be. */
function countInputPixels(work: Work): number {
  const { engine, custom, strip, tile, tiles, output } = work;
  const factor = largestWorkingFactor(work);
  if (factor === 1) return strip ? countStripPixels(work) : tiles * countTilePixels(tile);
  const { width, height } = usedSize(work);
  const used = { width: Math.ceil(factor * width), height: Math.ceil(factor * height) };
  const smaller = choosePasses({ ...output, engine, custom, used, factor: networkFactor });
  const inStrips = strip !== null && smaller.strip !== null;
  return inStrips ? countStripPixels(smaller) : smaller.tiles * countTilePixels(smaller.tile);
}

function countNetworkPixels(work: Work): number {
  let pixels = 0;
  for (let pass = 1; pass <= work.passes; pass++) pixels += areaOf(paddedSize(work)) * networkFactor ** (2 * pass);
  return pixels * work.output.frames * largestWorkingFactor(work) ** 2;
}

function estimateNetworkSeconds({ engine, custom }: Work, pixels: number, speed: JobLimits['speed']): number {
  if (!isAiEngine(engine)) return 0;
  const usual = isCustomEngine(engine) ? custom?.pixelsPerSecond : defaultSpeeds.network[engine];
  return pixels / (speed?.[engine] ?? usual ?? Number.POSITIVE_INFINITY);
}

function estimateEncodeSeconds(output: ImagePipeline['output']): number {
  const { encode, encodeLossless, startEncoder } = defaultSpeeds;
  const speed = (isLossless(output) ? encodeLossless[output.format] : undefined) ?? encode[output.format];
  return (areaOf(output) * output.frames) / speed + (startEncoder[output.format] ?? 0);
}

/** Returns how often a result is encoded to reach its target size. */
function countEncodes(output: ImagePipeline['output']): number {
  if (output.targetBytes === null) return 1;
  if (!ignoresQuality(output)) return searchRuns;
  // Lossless files are compressed more strongly once, except for JPEG XL.
  return output.format === 'jxl' ? 1 : 2;
}

/** The pixels of the result, or of the source if it is shrunk row by row. */
function countResampledPixels(work: Work): number {
  const size = shrinksInRows(work) ? usedSize(work) : work.output;
  return work.shrinks && !shrinksInRows(work) ? 0 : areaOf(size) * work.output.frames;
}

/** Formats that are decoded only once, to a file of pixels that is then read instead of the image. */
const unpackedFormats: readonly InputFormat[] = ['heic', 'jxl'];

/**
 * Returns how often a run decodes its source. Sources that are shrunk while decoding are decoded again at thumbnail
 * size, and sources with a profile are decoded again without it.
 */
const countDecodes = (work: Work) =>
  unpackedFormats.includes(work.source.format)
    ? 1
    : 1 + Number(work.shrinks && !shrinksInRows(work)) + Number(work.source.hasProfile);

/**
 * Estimates the total decoding time, in seconds. If decoding the file takes longer than its pixel count predicts, adds
 * the excess once per decode.
 */
function estimateDecodeSeconds(work: Work): number {
  const { source, output } = work;
  const pixels = areaOf(source) * output.frames;
  const more = Math.max(0, (source.decodedPixels ?? 0) - pixels) * countDecodes(work);
  const { slowDecode, decode, startDecoder } = defaultSpeeds;
  return (pixels + more) / (slowDecode[source.format] ?? decode) + (startDecoder[source.format] ?? 0);
}

/**
 * Estimates the seconds of each stage at `defaultSpeeds`. `speed`: measured speeds of networks, which replace the
 * defaults.
 */
export function estimateStages(work: Work, speed?: JobLimits['speed']) {
  const { output, shrinks } = work;
  const pixels = areaOf(output) * output.frames;
  return {
    decode: estimateDecodeSeconds(work),
    enlarge: estimateNetworkSeconds(work, countInputPixels(work), speed),
    resample:
      countResampledPixels(work) / defaultSpeeds.resample +
      (output.strength !== undefined || output.mask ? pixels / defaultSpeeds.resample : 0) +
      (output.grain && !shrinks ? pixels / defaultSpeeds.grain : 0) +
      countNetworkPixels(work) / defaultSpeeds.correct,
    check: pixels / defaultSpeeds.compare,
    encode:
      countEncodes(output) * estimateEncodeSeconds(output) + (output.printProfile ? pixels / defaultSpeeds.print : 0),
    thumbnail: defaultSpeeds.fixedSeconds + pixels / defaultSpeeds.thumbnail,
  };
}

/**
 * Estimates the memory of the JPEG XL encoder, which holds 3 copies of the pixels. Measured at 1 to 24 megapixels, with
 * 3 and 4 channels of 8 and 16 bits, on photos and on noise.
 */
function estimateJxlEncoderBytes({ source, output }: Work): number {
  const pixels = areaOf(output);
  const copies = 3 * pixels * Math.min(4, source.channels) * (output.bitDepth / 8);
  const { least, small, base, pixel, alpha } = jxlEncoderMemory;
  return copies + Math.min(least + small * pixels, base + (pixel + (source.hasAlpha ? alpha : 0)) * pixels);
}

function estimateEncoderBytes(work: Work): number {
  const { output } = work;
  if (output.format === 'jxl') return estimateJxlEncoderBytes(work);
  const isLosslessWebp = output.format === 'webp' && isLossless(output);
  const frame = areaOf(output) * (isLosslessWebp ? losslessWebpBytesPerPixel : encoderBytesPerPixel[output.format]);
  if (output.format === 'jpeg') return Math.min(frame, maxJpegBytes);
  return frame + (output.frames > 1 ? areaOf(output) * output.frames * encodedFrameBytesPerPixel : 0);
}

function estimateMemory(work: Work): number {
  const { engine, custom, source, tile, strip, output, passes } = work;
  const deep = output.bitDepth / 8;
  const depth = source.bitDepth > 8 ? deepDecodeFactor(source.format) : 1;
  const whole = source.decodesWhole ? areaOf(source) * output.frames * decoderBytesPerPixel[source.format] * depth : 0;
  const encoder = estimateEncoderBytes(work);
  if (!isAiEngine(engine) || !tile) return baseBytes + keptNetworkBytes + Math.max(whole, encoder);
  const width = paddedSize(work).width * networkFactor ** passes;
  const rows = width * (tile.core + 2 * tile.overlap) * networkFactor * 3 * deep;
  const { weightBytes, pixelBytes, ...traits } = traitsOf(engine, custom);
  // Covers both tiles and strips, because drawings run in tiles.
  const kept = strip && traits.strip ? strip.width * traits.strip.columnBytes : 0;
  const network = weightBytes + Math.max(countTilePixels(tile) * pixelBytes, kept);
  const remembered = output.frames > 1 ? tileCacheBytes : 0;
  return baseBytes + network + remembered + Math.max(rows, whole, encoder);
}

type EstimateFacts = { speed: JobLimits['speed'] | undefined; sourceBytes: number | undefined };

/** Estimates the time, peak resident memory, and file size of a run. */
export function estimatePipeline(work: Work, { speed, sourceBytes }: EstimateFacts): ImagePipeline['estimate'] {
  const stages = estimateStages(work, speed);
  const { targetBytes } = work.output;
  const bytes = estimateFileSize(work, sourceBytes);
  return {
    seconds: Object.values(stages).reduce((sum, seconds) => sum + seconds, 0),
    ...(mayWorkSmaller(work) && { networkSeconds: stages.enlarge }),
    peakMemoryBytes: estimateMemory(work),
    outputBytes: Math.min(bytes, targetBytes ?? bytes),
  };
}

/**
 * Returns the seconds of a run whose network does this share of the work for the whole image at the largest working
 * factor. By default, the share of an image without detail.
 */
export function estimateSeconds(pipeline: ImagePipeline, networkShare?: number): number {
  const { seconds, networkSeconds = 0 } = pipeline.estimate;
  const smallest = computeFactor(usedSize(pipeline), pipeline.output) / networkFactor;
  const least = (smallest / largestWorkingFactor(pipeline)) ** 2;
  return seconds - networkSeconds * (1 - (networkShare ?? least));
}

/**
 * `isLowered`: whether to halve the limit, because an earlier run exceeded its memory or crashed. `isRaised`: whether
 * to raise the limit, because an earlier run was too slow.
 */
type RunLimits = { maxJobSeconds: number; isLowered?: boolean; isRaised?: boolean };

/** Returns the wall time after which a run is stopped, in milliseconds. */
export function computeWallLimitMs(
  { estimate }: Pick<ImagePipeline, 'estimate'>,
  { maxJobSeconds, isLowered, isRaised }: RunLimits,
): number {
  const ms = 1_000 * estimate.seconds;
  const short = Math.min(limits.shortRunMs, limits.minRunMs + limits.shortWallFactor * ms);
  const wanted = (isRaised ? limits.slowRunFactor : 1) * Math.max(short, limits.wallFactor * ms);
  return Math.min(isLowered ? Math.max(limits.minRunMs, wanted / 2) : wanted, 1_000 * maxJobSeconds);
}

/**
 * Returns the time without progress after which a run is considered hung, in milliseconds. Tiles report progress, but
 * some encoders don't.
 */
export function computeStallLimitMs(pipeline: ImagePipeline): number {
  const { estimate, tiles } = pipeline;
  const seconds = Math.max(estimate.seconds / Math.max(1, tiles), estimateStages(pipeline).encode);
  return Math.max(limits.minStallMs, limits.stallFactor * 1_000 * seconds);
}

/**
 * Returns the CPU time after which a run is stopped if it is still decoding its source, in milliseconds. Decoding may
 * include shrinking.
 */
export function computeDecodeLimitMs(pipeline: Work): number {
  const { decode, resample } = estimateStages(pipeline);
  return Math.max(limits.minDecodeMs, limits.decodeFactor * 1_000 * (decode + resample));
}

/**
 * Returns the resident memory, in bytes, above which a run's child process is stopped. `idleBytes`: memory of the child
 * before the run, in bytes.
 */
export function computeMemoryLimitBytes(
  { estimate }: Pick<ImagePipeline, 'estimate'>,
  { idleBytes, isLowered }: { idleBytes: number; isLowered?: boolean },
): number {
  const needed = limits.runMemoryFactor * (estimate.peakMemoryBytes - baseBytes);
  const wanted = Math.max(limits.minRunMemoryBytes, needed);
  return Math.min(limits.childMemoryBytes, idleBytes + (isLowered ? wanted / 2 : wanted));
}
