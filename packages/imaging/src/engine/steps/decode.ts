import { rm } from 'node:fs/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Sharp } from 'sharp';
import { shrinksInRows } from '../../plan/shrinks-in-rows.ts';
import { toDecodeError } from './decode-error.ts';
import { openSource, type Source } from './open-source.ts';
import { shrinkFrames } from './shrink-frames.ts';
import type { SourceFile } from './unpack-source.ts';

export type Decoded = Pick<Source, 'animation' | 'notes'>;

/**
 * Decode an image to `path`, in libvips' `.v` format: EXIF orientation applied and its tag reset, cropped to `plan.crop`,
 * resized if `plan.shrinks`, with samples of `plan.output.bitDepth` bits, grey as one channel, and the frames of an animation
 * stacked vertically. Colors keep their values and profile where the output supports profiles, otherwise they become sRGB.
 * EXIF, XMP, and IPTC fields are kept. Throws AppError `corrupt_image` or `unsupported_format`, and other errors for disk
 * failures.
 */
export async function decode(file: SourceFile, plan: ImagePlan, path: string): Promise<Decoded> {
  if (!shrinksInRows(plan)) return read(file, plan, path);
  const stack = `${path}.stack.v`;
  try {
    const decoded = await read(file, { ...plan, shrinks: false }, stack);
    await shrinkFrames({ stack, path, ...plan.output });
    return decoded;
  } finally {
    await rm(stack, { force: true });
  }
}

async function read(file: SourceFile, plan: ImagePlan, path: string): Promise<Decoded> {
  try {
    return await write(file, plan, path);
  } catch (error) {
    const isDamaged = error instanceof AppError && error.code === 'corrupt_image';
    const repaired = isDamaged && plan.source.format === 'jpeg' && Buffer.isBuffer(file) ? repairJpeg(file) : undefined;
    if (!repaired) throw error;
    return await write(repaired, plan, path);
  }
}

async function write(file: SourceFile, plan: ImagePlan, path: string): Promise<Decoded> {
  try {
    const { image, animation, notes } = await openSource(file, plan);
    await transform(image, plan).toFile(path);
    return { notes, animation };
  } catch (cause) {
    throw toDecodeError(cause, Buffer.isBuffer(file) ? file : undefined);
  }
}

function transform(image: Sharp, { source, crop, shrinks, output }: ImagePlan): Sharp {
  // Viewers ignore the orientation of animations.
  const upright = source.frames > 1 ? image : image.autoOrient();
  const whole = { left: 0, top: 0, width: source.width, height: source.height };
  const area = crop ?? (shrinks && !canShrinkOnLoad(source, output) ? whole : null);
  const used = area ? upright.extract(area) : upright;
  if (!shrinks) return used;
  const { width, height } = output;
  return used.resize({ width, height, fit: 'fill', kernel: 'lanczos3', fastShrinkOnLoad: source.format === 'jpeg' });
}

/** Whether a JPEG can be shrunk by 2, 4, or 8 while decoding. Sides that are not divisible would shift the image. */
function canShrinkOnLoad({ format, width, height }: ImagePlan['source'], output: ImagePlan['output']): boolean {
  if (format !== 'jpeg') return true;
  const shrink = Math.min(width / output.width, height / output.height);
  const step = [8, 4, 2].find((factor) => shrink >= factor) ?? 1;
  return width % step === 0 && height % step === 0;
}

/** Markers of ITU-T T.81: SOF0, SOF1, SOS. */
const [baseline, extended, startOfScan] = [0xc0, 0xc1, 0xda];
/** Spectral selection and successive approximation of every sequential scan (T.81, B.2.3). */
const wholeScan = [0, 63, 0];
const marker = 0xff;

/**
 * Repair header defects that some cameras write and viewers ignore: extra bytes between segments, and invalid scan parameters
 * of sequential images (Samsung). Pixel data is not changed. Returns a copy, or undefined when there is nothing to repair.
 */
function repairJpeg(file: Buffer): Buffer | undefined {
  const segments = [file.subarray(0, 2)];
  let isSequential = false;
  let isFaulty = false;
  for (let at = 2; ; ) {
    const start = file.indexOf(marker, at);
    const kind = file[start + 1];
    if (start < 0 || kind === undefined || start + 4 > file.length) return undefined;
    isFaulty ||= start > at;
    if (kind === marker) {
      at = start + 1;
      continue;
    }
    isSequential ||= kind === baseline || kind === extended;
    if (kind === startOfScan) {
      const rest = Buffer.from(file.subarray(start));
      if (isSequential) isFaulty = setScan(rest) || isFaulty;
      return isFaulty ? Buffer.concat([...segments, rest]) : undefined;
    }
    at = start + 2 + file.readUInt16BE(start + 2);
    segments.push(file.subarray(start, at));
  }
}

/** Write the parameters of a sequential scan. Returns whether they were different. */
function setScan(scan: Buffer): boolean {
  const at = 5 + (scan[4] ?? 0) * 2;
  if (at + wholeScan.length > scan.length || wholeScan.every((value, i) => scan[at + i] === value)) return false;
  scan.set(wholeScan, at);
  return true;
}
