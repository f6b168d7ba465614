import { AppError } from '@uprez/contracts/errors/app-error';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Sharp } from 'sharp';
import { makeReadError } from '../../inspect/make-read-error.ts';
import { openSource, type Source } from './open-source.ts';
import { repairJpeg } from './repair-jpeg.ts';
import { shrinkFrames } from './shrink-frames.ts';

/** A full disk is our trouble, not the image's. */
const diskTrouble = /system error|no space|unable to write|write error|write failed|unable to open for write/i;

/** `notes`: what the person who sent the image should know. */
export type Decoded = Pick<Source, 'animation' | 'notes'>;

/**
 * Decode an image to `path`, libvips' own `.v` format: upright (EXIF orientation applied, its tag reset), cropped to
 * `plan.crop`, resized where `plan.shrinks`, samples of `plan.output.bitDepth` bits, grey stays one channel; the frames
 * of an animation one below the other. Colours keep their values and their profile, where the output can hold one, and
 * are sRGB otherwise; EXIF, XMP and IPTC fields travel along. The bytes enter as a buffer only. Throws AppError
 * `corrupt_image` or `unsupported_format`, and plain errors where the disk is at fault.
 */
export async function decode(file: Buffer, plan: ImagePlan, path: string): Promise<Decoded> {
  const { shrinks, output } = plan;
  if (!shrinks || output.frames === 1) return read(file, plan, path);
  const stack = `${path}.stack.v`;
  const decoded = await read(file, { ...plan, shrinks: false }, stack);
  await shrinkFrames({ stack, path, ...output });
  return decoded;
}

async function read(file: Buffer, plan: ImagePlan, path: string): Promise<Decoded> {
  try {
    return await write(file, plan, path);
  } catch (error) {
    const isDamaged = error instanceof AppError && error.code === 'corrupt_image';
    const repaired = isDamaged && plan.source.format === 'jpeg' ? repairJpeg(file) : undefined;
    if (!repaired) throw error;
    return await write(repaired, plan, path);
  }
}

async function write(file: Buffer, plan: ImagePlan, path: string): Promise<Decoded> {
  try {
    const { image, animation, notes } = await openSource(file, plan);
    await place(image, plan).toFile(path);
    return { notes, animation };
  } catch (cause) {
    if (cause instanceof AppError || (cause instanceof Error && diskTrouble.test(cause.message))) throw cause;
    throw makeReadError(cause, file);
  }
}

/** Upright, then cropped, then shrunk to the output's size. */
function place(image: Sharp, { source, crop, shrinks, output }: ImagePlan): Sharp {
  // Viewers turn no animation, nor do we turn a frame of one.
  const upright = source.frames > 1 ? image : image.autoOrient();
  const whole = { left: 0, top: 0, width: source.width, height: source.height };
  const area = crop ?? (shrinks && !halvesEvenly(source, output) ? whole : null);
  const used = area ? upright.extract(area) : upright;
  if (!shrinks) return used;
  const { width, height } = output;
  return used.resize({ width, height, fit: 'fill', kernel: 'lanczos3', fastShrinkOnLoad: source.format === 'jpeg' });
}

/**
 * Whether a JPEG may be shrunk by 2, 4 or 8 while it is decoded, which is fast: sides that do not divide would be rounded
 * up and the image shifted. Cutting out the whole area keeps sharp from doing it.
 */
function halvesEvenly({ format, width, height }: ImagePlan['source'], output: ImagePlan['output']): boolean {
  if (format !== 'jpeg') return true;
  const shrink = Math.min(width / output.width, height / output.height);
  const step = [8, 4, 2].find((factor) => shrink >= factor) ?? 1;
  return width % step === 0 && height % step === 0;
}
