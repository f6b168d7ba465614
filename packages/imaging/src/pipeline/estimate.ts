import { type AiEngine, type EngineName, type EngineVariant, isAiEngine } from '@uprez/contracts/policy/images/engines';
import { formatTraits, type InputFormat, type OutputFormat } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { networkFactor, networkTraits, stripPixels, tilePixels } from './choose-passes.ts';
import { estimateFileSize, isLosslessJxl } from './estimate-file-size.ts';
import type { JobLimits } from './job-limits.ts';
import { shrinksInRows, usedSize } from './target-size.ts';

/**
 * Pixels per second on two cores of a server CPU (AVX-512): input pixels of tiles or strips for networks, and image
 * pixels for the rest.
 */
export const defaultSpeeds = {
  network: { 'photo-fast': 150_000, photo: 12_000, art: 17_000, 'art-fast': 120_000 } satisfies Record<
    AiEngine,
    number
  >,
  decode: 40_000_000,
  /** Decoding speed of AVIF, and of formats whose decoder runs in WebAssembly. */
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
  losslessJxl: 2_000_000,
  /** Seconds to start a decoder or an encoder that runs in WebAssembly. */
  startDecoder: { jxl: 0.4 } as Partial<Record<InputFormat, number>>,
  startEncoder: { jxl: 0.4 } as Partial<Record<OutputFormat, number>>,
  grain: 40_000_000,
  compare: 300_000_000,
  thumbnail: 300_000_000,
  /** Seconds that every run takes to open files, write the thumbnail, and compare. */
  fixedSeconds: 0.1,
};

/**
 * Speeds of FP32 networks that run in strips only in INT8. Their pipelines have strips because `makePipeline` doesn't
 * know the variant, so each speed is the pixels of these strips divided by the seconds for tiles, which overlap.
 */
const fp32Speeds: Partial<Record<AiEngine, number>> = { photo: 2_000 };

/** Returns the expected speed of a network before its first run, or undefined if it is the default. */
export const expectedSpeed = (engine: AiEngine, variant: EngineVariant): number | undefined =>
  variant === 'fp32' ? fp32Speeds[engine] : undefined;

export type Work = Omit<ImagePipeline, 'estimate'>;

const MB = 1024 * 1024;
/** Resident bytes of the child with its libraries, and of networks kept from earlier runs. */
const baseBytes = 130 * MB;
const keptBytes = 200 * MB;
/** Encoder memory for one frame, bytes per pixel: JPEG coefficients, WebP planes and tokens, AVIF frames, two GIF copies. */
const encoderBytes: Record<Exclude<OutputFormat, 'jxl'>, number> = {
  ...{ png: 0, jpeg: 12, webp: 10, avif: 34, tiff: 0, gif: 12 },
};
/** Maximum memory of the JPEG encoder, bytes. Larger images are encoded without storing their coefficients. */
const maxJpegBytes = 200_000_000;
/** Memory for the encoded frames of an animation, bytes per pixel. */
const frameBytes = 1;
/**
 * Memory of the JPEG XL encoder with its library. Small images: `least` bytes, plus `small` bytes per pixel. Larger
 * images: `base` bytes, plus `pixel` bytes per pixel, and `alpha` bytes per pixel with transparency.
 */
const jxlBytes = { least: 100 * MB, small: 110, base: 420 * MB, pixel: 9, alpha: 4 } as const;
/** Size of the tile cache of an animation, bytes: the tiles of one frame. */
export const tileCacheBytes = 192 * MB;
/** Decoder memory for images that aren't read row by row, bytes per pixel, measured at 49 and 100 megapixels. */
const decoderBytes: Record<InputFormat, number> = {
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
/** Returns the memory factor for more than 8 bits per sample. AVIF frames always have 16 bits. */
const deepDecoder = (format: InputFormat) => (format === 'avif' ? 1.4 : 2);
const searchRuns = 6;

const area = ({ width, height }: { width: number; height: number }) => width * height;

/** Counts the output pixels of the network in all passes and frames. */
function drawnPixels(work: Work): number {
  let pixels = 0;
  for (let pass = 1; pass <= work.passes; pass++) pixels += area(usedSize(work)) * networkFactor ** (2 * pass);
  return pixels * work.output.frames;
}

const networkSeconds = (engine: EngineName, pixels: number, speed: JobLimits['speed']): number =>
  isAiEngine(engine) ? pixels / (speed?.[engine] ?? defaultSpeeds.network[engine]) : 0;

function encodeSeconds(output: ImagePipeline['output']): number {
  const { encode, losslessJxl, startEncoder } = defaultSpeeds;
  const speed = isLosslessJxl(output) ? losslessJxl : encode[output.format];
  return (area(output) * output.frames) / speed + (startEncoder[output.format] ?? 0);
}

/**
 * Counts the pixels that are resampled row by row: the pixels of the result, or of the source if it shrinks row by row.
 */
function resampledPixels(work: Work): number {
  const size = shrinksInRows(work) ? usedSize(work) : work.output;
  return work.shrinks && !shrinksInRows(work) ? 0 : area(size) * work.output.frames;
}

/** Formats whose pixels are decoded to a file, which is then read instead of the image. */
const unpackedFormats: readonly InputFormat[] = ['heic', 'jxl'];

/** Returns how often a run decodes its source: again at the size of the thumbnail, and again without its profile. */
const countDecodes = (work: Work) =>
  unpackedFormats.includes(work.source.format)
    ? 1
    : 1 + Number(work.shrinks && !shrinksInRows(work)) + Number(work.source.hasProfile);

/**
 * Estimates the seconds of all decoding. If a file takes longer than its pixels indicate, the difference counts for
 * each time it is decoded.
 */
function decodeSeconds(work: Work): number {
  const { source, output } = work;
  const pixels = area(source) * output.frames;
  const more = Math.max(0, (source.decodedPixels ?? 0) - pixels) * countDecodes(work);
  const { slowDecode, decode, startDecoder } = defaultSpeeds;
  return (pixels + more) / (slowDecode[source.format] ?? decode) + (startDecoder[source.format] ?? 0);
}

/**
 * Estimates the seconds of each stage at `defaultSpeeds`. `speed`: measured speeds of networks, which replace the
 * defaults.
 */
export function estimateStages(work: Work, speed?: JobLimits['speed']) {
  const { engine, tile, tiles, strip, output, shrinks } = work;
  const pixels = area(output) * output.frames;
  const encodes = output.targetBytes && formatTraits[output.format].lossy ? searchRuns : 1;
  return {
    decode: decodeSeconds(work),
    enlarge: networkSeconds(engine, strip ? stripPixels(work) : tiles * tilePixels(tile), speed),
    resample:
      resampledPixels(work) / defaultSpeeds.resample +
      (output.grain && !shrinks ? pixels / defaultSpeeds.grain : 0) +
      drawnPixels(work) / defaultSpeeds.correct,
    check: pixels / defaultSpeeds.compare,
    encode: encodes * encodeSeconds(output),
    thumbnail: defaultSpeeds.fixedSeconds + pixels / defaultSpeeds.thumbnail,
  };
}

/**
 * Estimates the memory of the JPEG XL encoder, which holds 3 copies of the pixels. Measured at 1 to 24 megapixels, with
 * 3 and 4 channels of 8 and 16 bits, including noise.
 */
function jxlEncoderBytes({ source, output }: Work): number {
  const pixels = area(output);
  const copies = 3 * pixels * Math.min(4, source.channels) * (output.bitDepth / 8);
  const { least, small, base, pixel, alpha } = jxlBytes;
  return copies + Math.min(least + small * pixels, base + (pixel + (source.hasAlpha ? alpha : 0)) * pixels);
}

function encoderMemory(work: Work): number {
  const { output } = work;
  if (output.format === 'jxl') return jxlEncoderBytes(work);
  const frame = area(output) * encoderBytes[output.format];
  if (output.format === 'jpeg') return Math.min(frame, maxJpegBytes);
  return frame + (output.frames > 1 ? area(output) * output.frames * frameBytes : 0);
}

function estimateMemory(work: Work): number {
  const { engine, source, tile, strip, output, passes } = work;
  const deep = output.bitDepth / 8;
  const depth = source.bitDepth > 8 ? deepDecoder(source.format) : 1;
  const whole = source.decodesWhole ? area(source) * output.frames * decoderBytes[source.format] * depth : 0;
  const encoder = encoderMemory(work);
  if (!isAiEngine(engine) || !tile) return baseBytes + keptBytes + Math.max(whole, encoder);
  const width = usedSize(work).width * networkFactor ** passes;
  const rows = width * (tile.core + 2 * tile.overlap) * networkFactor * 3 * deep;
  const { weightBytes, pixelBytes, ...traits } = networkTraits[engine];
  // Drawings run in tiles, so the estimate covers both tiles and strips.
  const kept = strip ? strip.width * traits.strip.columnBytes : 0;
  const network = weightBytes + Math.max(tilePixels(tile) * pixelBytes, kept);
  const remembered = output.frames > 1 ? tileCacheBytes : 0;
  return baseBytes + network + remembered + Math.max(rows, whole, encoder);
}

type Known = { speed: JobLimits['speed'] | undefined; sourceBytes: number | undefined };

/** Estimates the time, peak resident memory, and file size of a run. */
export function estimate(work: Work, { speed, sourceBytes }: Known): ImagePipeline['estimate'] {
  const stages = estimateStages(work, speed);
  const { targetBytes } = work.output;
  const bytes = estimateFileSize(work, sourceBytes);
  return {
    seconds: Object.values(stages).reduce((sum, seconds) => sum + seconds, 0),
    peakMemoryBytes: estimateMemory(work),
    outputBytes: Math.min(bytes, targetBytes ?? bytes),
  };
}

/**
 * `isLowered`: whether to halve the limit, for a run that exceeded its memory or crashed before. `isRaised`: whether to
 * raise the limit, for a run that was too slow before.
 */
type RunLimits = { maxJobSeconds: number; isLowered?: boolean; isRaised?: boolean };

/** Returns the wall time after which a run is stopped, milliseconds. */
export function wallLimitMs(
  { estimate }: Pick<ImagePipeline, 'estimate'>,
  { maxJobSeconds, isLowered, isRaised }: RunLimits,
): number {
  const ms = 1_000 * estimate.seconds;
  const short = Math.min(limits.shortRunMs, limits.minRunMs + limits.shortWallFactor * ms);
  const wanted = (isRaised ? limits.slowRunFactor : 1) * Math.max(short, limits.wallFactor * ms);
  return Math.min(isLowered ? Math.max(limits.minRunMs, wanted / 2) : wanted, 1_000 * maxJobSeconds);
}

/**
 * Returns the CPU time after which a run is stopped if it is still decoding its source, milliseconds. Decoding may
 * include shrinking.
 */
export function decodeLimitMs(pipeline: Work): number {
  const { decode, resample } = estimateStages(pipeline);
  return Math.max(limits.minDecodeMs, limits.decodeFactor * 1_000 * (decode + resample));
}

/**
 * Returns the resident memory above which the child of a run is stopped, bytes. `idleBytes`: memory of the child before
 * the run.
 */
export function memoryLimitBytes(
  { estimate }: Pick<ImagePipeline, 'estimate'>,
  { idleBytes, isLowered }: { idleBytes: number; isLowered?: boolean },
): number {
  const needed = limits.runMemoryFactor * (estimate.peakMemoryBytes - baseBytes);
  const wanted = Math.max(limits.minRunMemoryBytes, needed);
  return Math.min(limits.childMemoryBytes, idleBytes + (isLowered ? wanted / 2 : wanted));
}
