import { rm } from 'node:fs/promises';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import type { Sharp } from 'sharp';
import { toDecodeError } from '../../inspect/read-error.ts';
import { shrinksInRows } from '../../pipeline/compute-target-size.ts';
import { shrinkFrames } from '../rows/shrink.ts';
import { openSource, type Source } from './open-source.ts';
import { decodeRepaired } from './repair-jpeg.ts';
import type { SourceFile } from './unpack-source.ts';

export type DecodeResult = Pick<Source, 'animation' | 'notes'>;

/**
 * Decodes an image to a file in libvips' `.v` format at `path`. Applies the EXIF orientation and resets its tag, crops
 * to `pipeline.crop`, and resizes if `pipeline.shrinks` is set. Samples have `pipeline.output.bitDepth` bits, gray is
 * stored as one channel, and the frames of an animation are stacked vertically. Colors keep their values and profile if
 * the output supports profiles. Otherwise, they are converted to sRGB. EXIF, XMP, and IPTC fields are kept. Throws
 * AppError `corrupt_image` or `unsupported_format`, and other errors for disk failures.
 */
export async function decode(file: SourceFile, pipeline: ImagePipeline, path: string): Promise<DecodeResult> {
  if (!shrinksInRows(pipeline)) return decodeWithRepair(file, pipeline, path);
  const stack = `${path}.stack.v`;
  try {
    const decoded = await decodeWithRepair(file, { ...pipeline, shrinks: false }, stack);
    await shrinkFrames({ stack, path, ...pipeline.output });
    return decoded;
  } finally {
    await rm(stack, { force: true });
  }
}

function decodeWithRepair(file: SourceFile, pipeline: ImagePipeline, path: string): Promise<DecodeResult> {
  const from = (source: SourceFile) => writeDecoded(source, pipeline, path);
  return Buffer.isBuffer(file) ? decodeRepaired(file, pipeline.source, from) : from(file);
}

async function writeDecoded(file: SourceFile, pipeline: ImagePipeline, path: string): Promise<DecodeResult> {
  try {
    const { image, animation, notes } = await openSource(file, pipeline);
    await transform(image, pipeline).toFile(path);
    return { notes, animation };
  } catch (cause) {
    throw toDecodeError(cause, Buffer.isBuffer(file) ? file : undefined);
  }
}

function transform(image: Sharp, { source, crop, shrinks, output }: ImagePipeline): Sharp {
  // Animations aren't rotated, because viewers ignore their orientation.
  const upright = source.frames > 1 ? image : image.autoOrient();
  const whole = { left: 0, top: 0, width: source.width, height: source.height };
  const area = crop ?? (shrinks && !canShrinkOnLoad(source, output) ? whole : null);
  const used = area ? upright.extract(area) : upright;
  if (!shrinks) return used;
  const { width, height } = output;
  return used.resize({ width, height, fit: 'fill', kernel: 'lanczos3', fastShrinkOnLoad: source.format === 'jpeg' });
}

/**
 * Whether a JPEG can be shrunk by 2, 4, or 8 while it is decoded. This would shift the image if one of its sides isn't
 * divisible by the factor. True for other formats.
 */
function canShrinkOnLoad({ format, width, height }: ImagePipeline['source'], output: ImagePipeline['output']): boolean {
  if (format !== 'jpeg') return true;
  const shrink = Math.min(width / output.width, height / output.height);
  const step = [8, 4, 2].find((factor) => shrink >= factor) ?? 1;
  return width % step === 0 && height % step === 0;
}
