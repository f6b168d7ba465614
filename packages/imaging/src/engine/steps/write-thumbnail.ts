import { limits } from '@uprez/contracts/policy/limits';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { rgbaToThumbHash } from 'thumbhash';
import { guardedSharp, toSrgb } from '../../decoders.ts';
import { usedSize } from '../../pipeline/compute-target-size.ts';
import { stackFrames } from '../rows/row-stream.ts';
import { shrink } from '../rows/shrink.ts';
import { makeTrailer, writeVips } from '../rows/write-vips.ts';
import { openPixels, type Pixels } from './open-pixels.ts';
import { openSource } from './open-source.ts';
import type { SourceFile } from './unpack-source.ts';

export function computeThumbnailSize({ width, height }: { width: number; height: number }) {
  const scale = Math.min(1, limits.thumbnailSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * Resizes all frames of the finished pixels to the thumbnail size and writes them to the `.v` file `path`, with
 * profile, depth, and alpha.
 */
export async function writeThumbnailPixels(pixels: Pixels, { output }: ImagePipeline, path: string): Promise<void> {
  const { rows, icc } = pixels;
  const open = (frame: number) =>
    shrink(rows.stream(frame * output.height, output.height), computeThumbnailSize(output));
  if (rows.channels % 2 === 0) return writeVips(path, stackFrames(output.frames, open), makeTrailer(icc));
  await openPixels(pixels, output.frames)
    .resize({ ...computeThumbnailSize(output), fit: 'fill' })
    .toFile(path);
}

/**
 * Decodes the source again, directly to the thumbnail size, as the reference for checking a result that was shrunk
 * during decoding. Fast for JPEG, which the decoder shrinks. Applies the crop after shrinking.
 */
export async function writeReferencePixels(file: SourceFile, pipeline: ImagePipeline, path: string): Promise<void> {
  const { source, crop, output } = pipeline;
  const used = usedSize(pipeline);
  const size = computeThumbnailSize(output);
  const [across, down] = [size.width / used.width, size.height / used.height];
  const [width, height] = [Math.round(source.width * across), Math.round(source.height * down)];
  // Ignores defects, because the first decoding has already reported or repaired them.
  const { image } = await openSource(file, pipeline, 'none');
  const upright = source.frames > 1 ? image : image.autoOrient();
  const whole = upright.resize({ width, height, fit: 'fill' });
  const left = Math.min(Math.round((crop?.left ?? 0) * across), width - size.width);
  const top = Math.min(Math.round((crop?.top ?? 0) * down), height - size.height);
  await (crop ? whole.extract({ left, top, ...size }) : whole).toFile(path);
}

/**
 * WebP quality. At low quality, the colors at edges blend with the invisible colors around them, so transparent
 * thumbnails need a higher quality.
 */
const qualities = { opaque: 80, transparent: 90 };
/** Maximum input side of ThumbHash, in pixels. */
const hashSide = 100;

/** Writes the first frame of the thumbnail pixels as WebP in sRGB. Returns its ThumbHash (Evan Wallace) in base64. */
export async function writeThumbnail(small: string, path: string, output: ImagePipeline['output']): Promise<string> {
  const header = await guardedSharp(small).metadata();
  const open = () => toSrgb(guardedSharp(small).extract({ left: 0, top: 0, ...computeThumbnailSize(output) }), header);
  const [{ data, info }] = await Promise.all([
    open()
      .resize(hashSide, hashSide, { fit: 'inside', withoutEnlargement: true })
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }),
    open()
      .webp({ quality: header.hasAlpha ? qualities.transparent : qualities.opaque, effort: 2 })
      .toFile(path),
  ]);
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}
