import { appendFile, open, rename, rm, stat, truncate } from 'node:fs/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import { formatNames, formatTraits, type OutputFormat } from '@uprez/contracts/policy/images/image-formats';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { formatCount } from '@uprez/contracts/texts/format';
import type { Sharp } from 'sharp';
import { findAlphaFlag } from '../../canvas/make-canvas-transparent.ts';
import { ignoresQuality, isLossless } from '../../pipeline/estimate-file-size.ts';
import { writeJxl } from '../jxl/write-jxl.ts';
import { embedMetadata } from '../metadata/embed/embed-metadata.ts';
import type { ResultMetadata } from '../metadata/select-metadata.ts';
import { throwIfCancelled } from '../stages.ts';
import type { DecodeResult } from './decode.ts';
import { openPixels, type Pixels } from './open-pixels.ts';
import { findColorTables, writePaletteGif } from './palette-gif.ts';
import { findPalette, hasTransparentPixels, type Palette, writePalettePng } from './palette-png.ts';
import { maxAttempts, searchQuality } from './search-quality.ts';

type EncodeInput = {
  pipeline: ImagePipeline;
  pixels: Pixels;
  /** The pixels in CMYK, if the pipeline has a profile for print. */
  printed?: Pixels | undefined;
  result: string;
  animation: DecodeResult['animation'];
  metadata: ResultMetadata;
  signal: AbortSignal;
  report: (share: number) => void;
};
/** `quality`: final quality, or null for lossless formats. */
type EncodeResult = { sizeBytes: number; quality: number | null; notes: string[] };

export const encodeNotes = {
  flattened: "The output format doesn't support transparency. Transparent areas were filled with the background color.",
  palette: 'The colors were reduced to 256 per frame, the maximum of GIF.',
  opacity: 'GIF has no partial transparency. Pixels that are at least half opaque became opaque, and others invisible.',
  lossy: 'The output format is lossy, so the pixels may differ slightly. Use PNG to keep them exactly.',
  seams: 'The output format is lossy, so faint seams may be visible where the texture repeats. Use PNG to avoid them.',
} as const;

/**
 * Formats that are encoded differently if the image has few colors, each with the minimum number of channels for which
 * this is checked.
 */
const minPaletteChannels: Readonly<Partial<Record<OutputFormat, number>>> = { png: 3, gif: 3, jxl: 2 };
/** Attempts to reach a target size without loss: one at the usual speed, and one that compresses more strongly. */
const losslessAttempts = 2;
/** Quality at which JPEG XL is lossless. */
const losslessQuality = 100;
const pollMs = 500;
const probeBytes = 64 * 1024;
/** Maximum colors of a GIF frame. libvips reserves one of the 256 colors for transparency. */
const maxGifColors = 255;
/** Bytes that a file may have in addition to its raw pixels. The encoder is stopped at twice the sum. */
const maxOverheadBytes = 8 * 1024 * 1024;

/**
 * Encodes the pixels to `result` in the pipeline's format, with profile, metadata, and animation. If `targetBytes` is
 * set, the result is no larger. Files are never held in memory, except for JPEG XL. Throws AppError
 * `target_bytes_unreachable` or `cancelled`. Throws Error if the run was aborted during encoding or if the encoder
 * wrote another image size.
 */
export async function encode(encoding: EncodeInput): Promise<EncodeResult> {
  const { pipeline, pixels, result } = encoding;
  const { format, targetBytes } = pipeline.output;
  const isLossy = !ignoresQuality(pipeline.output);
  const quality = isLossy ? pipeline.output.quality : losslessQuality;
  const mayBePaletted = pixels.rows.channels >= (minPaletteChannels[format] ?? Number.POSITIVE_INFINITY);
  const palette = mayBePaletted ? await findPalette(pixels.rows) : undefined;
  const tables =
    format === 'gif' && pipeline.engine === 'nearest'
      ? await findColorTables(pixels.rows, pipeline.output.frames)
      : undefined;
  const notes = await describeLosses(encoding, { palette, tables });
  const write = makeEncodeAttempt(encoding, { palette, tables });
  try {
    if (format === 'jxl' && palette && isLossy && quality < losslessQuality) {
      const chosen = await encodeSmallerJxl(write, pipeline);
      if (targetBytes === null || chosen.sizeBytes <= targetBytes) return { ...chosen, notes };
    }
    if (isLossy && targetBytes !== null) {
      const found = await searchQuality(write, quality, targetBytes);
      checkTargetBytes(found.sizeBytes, pipeline.output);
      return { ...found, notes };
    }
    const first = await write(quality);
    const isFinal = targetBytes === null || first <= targetBytes || !mayTighten(format, { palette, tables });
    const sizeBytes = isFinal ? first : await write(quality, { isTight: true });
    checkTargetBytes(sizeBytes, pipeline.output);
    return { sizeBytes, quality: isLossy ? quality : null, notes };
  } finally {
    await rm(attemptPath(result), { force: true });
  }
}

/** `palette`: the exact colors, for PNG and JPEG XL. `tables`: the exact colors of each frame, for GIF. */
type ExactColors = { palette: Palette | undefined; tables: Awaited<ReturnType<typeof findColorTables>> };

/** Whether another attempt may compress more strongly. Our own encoders, and that of JPEG XL, always do the same. */
const mayTighten = (format: OutputFormat, { palette, tables }: ExactColors): boolean =>
  format !== 'jxl' && !tables && !(format === 'png' && palette);

/**
 * Encodes an image with few colors losslessly. Unless that file is already small, encodes it lossily too and keeps the
 * smaller file. Lossless files are preferred, because the encoder blackens invisible pixels before lossy compression,
 * which changes the colors of flat shapes at their edges. With a target size, only encodes losslessly, because `encode`
 * searches for a lossy quality if the lossless file is too large.
 */
async function encodeSmallerJxl(write: ReturnType<typeof makeEncodeAttempt>, { output, estimate }: ImagePipeline) {
  const { quality, targetBytes } = output;
  const lossless = await write(losslessQuality);
  if (targetBytes !== null || lossless <= estimate.outputBytes)
    return { sizeBytes: lossless, quality: losslessQuality };
  const lossy = await write(quality, { below: lossless });
  return lossy < lossless ? { sizeBytes: lossy, quality } : { sizeBytes: lossless, quality: losslessQuality };
}

const attemptPath = (result: string) => `${result}.try`;

/** `below`: the file becomes the result only if it has fewer bytes than this. */
type AttemptOptions = { isTight?: boolean; below?: number };

/** Returns a function that encodes once and returns the file size. A file that is small enough becomes the result. */
function makeEncodeAttempt(encoding: EncodeInput, { palette, tables }: ExactColors) {
  const { pipeline, pixels, printed, result, animation, metadata, signal } = encoding;
  const { format, targetBytes } = pipeline.output;
  const path = attemptPath(result);
  // Each attempt has an equal share of the progress.
  const most = ignoresQuality(pipeline.output) ? losslessAttempts : maxAttempts;
  const parts = (targetBytes !== null ? most : 1) + (format === 'jxl' && palette ? 1 : 0);
  let attempts = 0;
  return async (quality: number, { isTight = false, below }: AttemptOptions = {}): Promise<number> => {
    throwIfCancelled(signal);
    const done = attempts++;
    const report = (share: number) => encoding.report((done + share) / parts);
    if (format === 'png' && palette) await writePalettePng(path, pixels, palette);
    else if (tables) await writePaletteGif(path, { rows: pixels.rows, tables, animation });
    else if (format === 'jxl') await writeJxl(path, { ...pixels, metadata, signal }, quality);
    else
      await writeFile(
        { ...encoding, pixels: printed ?? pixels, report },
        { path, quality, isTight, encoder: encoders[format] },
      );
    if (format !== 'jxl') await embedMetadata(path, format, metadata);
    report(1);
    const { size } = await stat(path);
    const isSmall = targetBytes === null || size <= targetBytes;
    if (isSmall && (below === undefined || size < below)) await rename(path, result);
    return size;
  };
}

/** Encoders end at the edges: they share colors only with neighbors inside the image, most of all in 4:2:0. */
function describeCompression({ engine, output }: ImagePipeline): string[] {
  if (isLossless(output)) return [];
  if (engine === 'nearest') return [encodeNotes.lossy];
  return output.edges ? [encodeNotes.seams] : [];
}

async function describeLosses({ pipeline, pixels }: EncodeInput, { palette, tables }: ExactColors): Promise<string[]> {
  const { format, printProfile } = pipeline.output;
  const lossy = describeCompression(pipeline);
  if ((!formatTraits[format].alpha || printProfile !== undefined) && (await hasTransparentPixels(pixels.rows)))
    return [encodeNotes.flattened, ...lossy];
  const isReduced = !tables && pixels.rows.channels > 2 && (palette?.colors.length ?? maxGifColors + 1) > maxGifColors;
  if (format !== 'gif') return lossy;
  const isHardened = await hasTransparentPixels(pixels.rows, { isPartly: true });
  return [...(isReduced ? [encodeNotes.palette] : []), ...(isHardened ? [encodeNotes.opacity] : [])];
}

function checkTargetBytes(sizeBytes: number, output: ImagePipeline['output']): void {
  const { targetBytes, format } = output;
  if (targetBytes === null || sizeBytes <= targetBytes) return;
  const best = ignoresQuality(output) ? `as lossless ${formatNames[format]}` : 'at the lowest quality';
  throw new AppError('target_bytes_unreachable', {
    detail: `The result has ${formatCount(sizeBytes)} bytes ${best}. The maximum you set is ${formatCount(targetBytes)} bytes.`,
    meta: { limit: targetBytes, value: sizeBytes },
  });
}

type WriteFileInput = { path: string; quality: number; isTight: boolean; encoder: Encoder };

/** Stops the encoder by truncating the pixel file, which makes the encoder's next read fail. */
async function writeFile(encoding: EncodeInput, { path, quality, isTight, encoder }: WriteFileInput): Promise<void> {
  const { pipeline, pixels, signal, report } = encoding;
  const { output } = pipeline;
  const { channels, depth, width, height } = pixels.rows;
  const maxBytes = (width * height * channels * depth) / 8 + maxOverheadBytes;
  const stop = () => void truncate(pixels.path, 0).catch(() => undefined);
  const checkSize = async () => {
    const { size } = await stat(path);
    report(Math.min(0.99, size / pipeline.estimate.outputBytes));
    if (size > 2 * maxBytes) stop();
  };
  const poll = setInterval(() => void checkSize().catch(() => undefined), pollMs);
  signal.addEventListener('abort', stop);
  try {
    const image = encoder(openAnimated(encoding), { output, quality, channels, isTight, isCmyk: pixels.isCmyk });
    const { pages = 1, pageHeight, ...written } = await image.toFile(path);
    const frameHeight = pageHeight ?? written.height / pages;
    if (written.width !== output.width || frameHeight !== output.height)
      throw new Error(`encoded ${written.width} x ${frameHeight}, planned ${output.width} x ${output.height}`);
    if (output.format === 'webp' && output.frames > 1 && channels % 2 === 0) await setWebpAlpha(path);
  } catch (error) {
    // Writes to the disk, because this throws if the disk is full. The error from libvips isn't a reliable indication,
    // because concurrent operations share one error buffer.
    if (!signal.aborted) await appendFile(path, Buffer.alloc(probeBytes));
    throw error;
  } finally {
    clearInterval(poll);
    signal.removeEventListener('abort', stop);
  }
}

function openAnimated({ pipeline, pixels, animation }: EncodeInput): Sharp {
  const { frames, background, format } = pipeline.output;
  let image = openPixels(pixels, frames);
  if (!formatTraits[format].alpha && !pixels.isCmyk && pixels.rows.channels % 2 === 0)
    image = image.flatten({ background });
  if (!animation || frames === 1) return image;
  const { loop, delays } = animation;
  const options = { loop, ...(delays.length > 0 && { delay: delays }) };
  return format === 'gif' ? image.gif(options) : image.webp(options);
}

type Encoder = (image: Sharp, settings: EncoderSettings) => Sharp;
type EncoderSettings = {
  output: ImagePipeline['output'];
  quality: number;
  /** 1 for gray, 2 for gray with alpha, 3 for RGB, 4 for RGBA or CMYK. */
  channels: number;
  isCmyk?: Pixels['isCmyk'];
  /** Whether to make the file as small as possible regardless of encoding time, to reach a target size. */
  isTight: boolean;
};

/**
 * Maximum memory for JPEG coefficients, in bytes. Optimized Huffman tables, progressive scans, and trellis quantization
 * need all coefficients in memory, and are turned off for larger images.
 */
const maxCoefficientBytes = 200_000_000;
/** Minimum quality at which chroma subsampling is visible. */
const fullColorQuality = 90;
/**
 * Maximum pixels for WebP effort 3. In larger images, the first partition overflows at effort 3 and high quality, and
 * libwebp starts over, which is slower and makes larger files.
 */
const maxSlowWebpPixels = 16_000_000;
/** Maximum pixels for AVIF effort 3, which is slower and makes files 6% smaller. */
const maxSlowAvifPixels = 4_000_000;
/**
 * Maximum raw size for classic TIFF, in bytes. The format is limited to 4 GB, and compressed noise can be larger than
 * the raw pixels.
 */
const maxClassicTiffBytes = 3_000_000_000;

const dotsPerMillimeter = 72 / 25.4;

const chromaSubsamplingFor = (quality: number) => (quality >= fullColorQuality ? '4:4:4' : '4:2:0');
const areaOf = ({ width, height }: { width: number; height: number }) => width * height;

/** Trellis quantization and progressive scans make files 13-24% smaller, and encode 12-30 MP/s instead of 300 MP/s. */
const jpeg: Encoder = (image, { output, quality, channels, isCmyk }) => {
  // The inks of CMYK are stored at full resolution.
  const bytesPerPixel = isCmyk ? 16 : channels < 3 ? 4 : quality >= fullColorQuality ? 12 : 6;
  const fits = areaOf(output) * bytesPerPixel <= maxCoefficientBytes;
  return image.jpeg({
    quality,
    chromaSubsampling: chromaSubsamplingFor(quality),
    quantizationTable: 3,
    ...{ progressive: fits, optimizeCoding: fits, trellisQuantization: fits, overshootDeringing: fits },
    optimizeScans: false,
  });
};

/**
 * Encoder settings by format.
 * - PNG: filtered rows at zlib level 3 are half the size of unfiltered rows at level 6, in the same time. Level 6 saves
 *   another 3-6% in twice the time.
 * - WebP: effort 3 gains 0.4 dB over effort 2 at 12 MP/s. Effort 4 gains nothing more.
 * - AVIF: effort 2 gains nothing over effort 1. Effort 4 takes a second for 0.4 MP.
 * - TIFF: LZW is the most compatible. Deflate is 6-12% smaller at half the speed.
 * - GIF: duplicate frames are kept.
 */
export const encoders: Record<Exclude<OutputFormat, 'jxl'>, Encoder> = {
  png: (image, { isTight }) => image.png({ compressionLevel: isTight ? 9 : 3, adaptiveFiltering: true }),
  jpeg,
  webp: (image, { quality, output: { lossless, ...size }, isTight }) =>
    lossless
      ? image.webp({ lossless, exact: true, effort: isTight ? 6 : 3 })
      : image.webp({ quality, effort: areaOf(size) <= maxSlowWebpPixels ? 3 : 2 }),
  avif: (image, { quality, output }) =>
    image.avif({
      quality,
      chromaSubsampling: chromaSubsamplingFor(quality),
      effort: areaOf(output) <= maxSlowAvifPixels ? 3 : 1,
    }),
  tiff: (image, { isTight, output, channels }) =>
    image.tiff({
      compression: isTight ? 'deflate' : 'lzw',
      predictor: 'horizontal',
      ...{ resolutionUnit: 'inch', xres: dotsPerMillimeter, yres: dotsPerMillimeter },
      bigtiff: (areaOf(output) * channels * output.bitDepth) / 8 > maxClassicTiffBytes,
    }),
  gif: (image, { isTight }) => image.gif({ effort: isTight ? 10 : 3, keepDuplicateFrames: true }),
};

/**
 * Sets the alpha flag of a WebP file with an extended header. libwebp omits the flag if each frame of an animation is
 * opaque within its rectangle. Decoders that rely on the flag then fill the rest of the canvas with black.
 */
async function setWebpAlpha(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const { buffer: header } = await file.read(Buffer.alloc(64), 0, 64, 0);
    const flag = findAlphaFlag(header);
    if (flag) await file.write(Buffer.from([flag.value]), 0, 1, flag.at);
  } finally {
    await file.close();
  }
}
