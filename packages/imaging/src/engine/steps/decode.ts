import { AppError } from '@uprez/contracts/errors/app-error';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Sharp } from 'sharp';
import { toReadError } from '../../inspect/describe-unsupported.ts';
import { openSource, type Source } from './open-source.ts';
import { repairJpeg } from './repair-jpeg.ts';
import { shrinkFrames } from './shrink-frames.ts';

/** Disk errors are not caused by the image. */
const diskError = /system error|no space|unable to write|write error|write failed|unable to open for write/i;

export type Decoded = Pick<Source, 'animation' | 'notes'>;

/**
 * Decode an image to `path`, in libvips' `.v` format: EXIF orientation applied and its tag reset, cropped to `plan.crop`,
 * resized if `plan.shrinks`, with samples of `plan.output.bitDepth` bits, grey as one channel, and the frames of an animation
 * stacked vertically. Colors keep their values and profile where the output supports profiles, otherwise they become sRGB.
 * EXIF, XMP, and IPTC fields are kept. Throws AppError `corrupt_image` or `unsupported_format`, and other errors for disk
 * failures.
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
    await transform(image, plan).toFile(path);
    return { notes, animation };
  } catch (cause) {
    if (cause instanceof AppError || (cause instanceof Error && diskError.test(cause.message))) throw cause;
    throw toReadError(cause, file);
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
