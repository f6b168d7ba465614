import { appendFile, rename, rm, stat, truncate } from 'node:fs/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import { formatNames, formatTraits } from '@uprez/contracts/policy/image-formats';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Sharp } from 'sharp';
import type { KeptMetadata } from '../metadata/keep-metadata.ts';
import { throwIfCancelled } from '../stages.ts';
import type { Decoded } from './decode.ts';
import { encoders } from './encoders.ts';
import { findPalette, isSomethingTransparent, type Palette } from './find-palette.ts';
import { openPixels, type Pixels } from './open-pixels.ts';
import { maxAttempts, searchQuality } from './search-quality.ts';
import { writePalettePng } from './write-palette-png.ts';

export type Encoding = {
  plan: ImagePlan;
  pixels: Pixels;
  result: string;
  animation: Decoded['animation'];
  metadata: KeptMetadata;
  signal: AbortSignal;
  report: (share: number) => void;
};
/** `quality`: what was used in the end; null for lossless formats. */
export type Encoded = { sizeBytes: number; quality: number | null; notes: string[] };

export const encodeNotes = {
  flattened: "The output format doesn't support transparency. Transparent areas were filled with the background color.",
  palette: 'The colors were reduced to 256 per frame, the maximum of GIF.',
} as const;

const pollMs = 500;
const probeBytes = 64 * 1024;
/** libvips gives one of the 256 to transparency. */
const maxGifColours = 255;
/** Room that a file may take above its raw pixels. */
const overheadBytes = 8 * 1024 * 1024;

/**
 * Encode the pixels as the plan's format to `result`, with profile, metadata and animation; as small as `targetBytes`
 * where the plan names one. The file is never whole in memory. Throws AppError `target_bytes_unreachable` or `cancelled`;
 * Error when the run was stopped half-way or the encoder wrote another size than planned.
 */
export async function encode(encoding: Encoding): Promise<Encoded> {
  const { plan, pixels, result } = encoding;
  const { format, quality, targetBytes } = plan.output;
  const isLossy = formatTraits[format].lossy;
  const palette = format === 'png' || format === 'gif' ? await findPalette(pixels.rows) : undefined;
  const notes = await describeLosses(encoding, palette);
  const write = prepareAttempts(encoding, palette);
  try {
    if (isLossy && targetBytes !== null) {
      const found = await searchQuality(write, quality, targetBytes);
      checkTarget(found.sizeBytes, plan.output);
      return { ...found, notes };
    }
    const first = await write(quality);
    const sizeBytes = targetBytes === null || first <= targetBytes ? first : await write(quality, true);
    checkTarget(sizeBytes, plan.output);
    return { sizeBytes, quality: isLossy ? quality : null, notes };
  } finally {
    await rm(tryPath(result), { force: true });
  }
}

const tryPath = (result: string) => `${result}.try`;

/** Answers a function that encodes once and tells the size; a file that is small enough becomes the result. */
function prepareAttempts(encoding: Encoding, palette: Palette | undefined) {
  const { plan, pixels, result, metadata, signal } = encoding;
  const { format, targetBytes } = plan.output;
  const path = tryPath(result);
  const hasPalette = format === 'png' && palette && !metadata.exif && !metadata.xmp;
  // A search takes several attempts: each moves the progress on.
  const parts = targetBytes === null ? 1 : maxAttempts;
  let attempts = 0;
  return async (quality: number, isTight = false): Promise<number> => {
    throwIfCancelled(signal);
    const done = attempts++;
    const report = (share: number) => encoding.report((done + share) / parts);
    if (hasPalette) await writePalettePng(path, pixels.rows, { palette, icc: pixels.icc });
    else await writeFile({ ...encoding, report }, { path, quality, isTight });
    report(1);
    const { size } = await stat(path);
    if (targetBytes === null || size <= targetBytes) await rename(path, result);
    return size;
  };
}

async function describeLosses({ plan, pixels }: Encoding, palette: Palette | undefined): Promise<string[]> {
  const { format } = plan.output;
  if (!formatTraits[format].alpha && (await isSomethingTransparent(pixels.rows))) return [encodeNotes.flattened];
  const isReduced = pixels.rows.channels > 2 && (palette?.colours.length ?? maxGifColours + 1) > maxGifColours;
  return format === 'gif' && isReduced ? [encodeNotes.palette] : [];
}

const count = (n: number) => n.toLocaleString('en-US');

function checkTarget(sizeBytes: number, { targetBytes, format }: ImagePlan['output']): void {
  if (targetBytes === null || sizeBytes <= targetBytes) return;
  const best = formatTraits[format].lossy ? 'at the lowest quality' : `as lossless ${formatNames[format]}`;
  throw new AppError('target_bytes_unreachable', {
    detail: `The result takes ${count(sizeBytes)} bytes ${best}. The maximum you set is ${count(targetBytes)} bytes.`,
    meta: { limit: targetBytes, value: sizeBytes },
  });
}

type Writing = { path: string; quality: number; isTight: boolean };

/** One file. When the run is aborted or the file outgrows its pixels, the pixels are cut off: the encoder's read fails and it stops. */
async function writeFile(encoding: Encoding, { path, quality, isTight }: Writing): Promise<void> {
  const { plan, pixels, signal, report } = encoding;
  const { output } = plan;
  const { channels, depth, width, height } = pixels.rows;
  const maxBytes = (width * height * channels * depth) / 8 + overheadBytes;
  const stop = () => void truncate(pixels.path, 0).catch(() => undefined);
  const look = async () => {
    const { size } = await stat(path);
    report(Math.min(0.99, size / plan.estimate.outputBytes));
    if (size > 2 * maxBytes) stop();
  };
  const poll = setInterval(() => void look().catch(() => undefined), pollMs);
  signal.addEventListener('abort', stop);
  try {
    const image = encoders[output.format](openDressed(encoding), { output, quality, channels, isTight });
    const { pages = 1, pageHeight, ...written } = await image.toFile(path);
    const frameHeight = pageHeight ?? written.height / pages;
    if (written.width !== output.width || frameHeight !== output.height)
      throw new Error(`encoded ${written.width} x ${frameHeight}, planned ${output.width} x ${output.height}`);
  } catch (error) {
    // libvips keeps one error text for all that runs at a time: whether the disk is full is asked of the disk.
    if (!signal.aborted) await appendFile(path, Buffer.alloc(probeBytes));
    throw error;
  } finally {
    clearInterval(poll);
    signal.removeEventListener('abort', stop);
  }
}

/** The pixels with everything that the file shall carry. */
function openDressed({ plan, pixels, metadata, animation }: Encoding): Sharp {
  const { frames, background, format } = plan.output;
  let image = openPixels(pixels, frames);
  if (metadata.exif) image = image.withExif(metadata.exif);
  if (metadata.xmp) image = image.withXmp(metadata.xmp);
  if (!formatTraits[format].alpha && pixels.rows.channels % 2 === 0) image = image.flatten({ background });
  return animation && frames > 1 ? withAnimation(image, format, animation) : image;
}

function withAnimation(
  image: Sharp,
  format: ImagePlan['output']['format'],
  animation: NonNullable<Decoded['animation']>,
) {
  const options = { loop: animation.loop, ...(animation.delays.length > 0 && { delay: animation.delays }) };
  return format === 'gif' ? image.gif(options) : image.webp(options);
}
