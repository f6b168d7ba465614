import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import { rgbaToThumbHash } from 'thumbhash';
import { guardedSharp } from '../../decoders.ts';
import { thumbnailSize } from './thumbnail-pixels.ts';

/** Maximum input side of ThumbHash, pixels. */
const hashSide = 100;

/**
 * Write the thumbnail from the thumbnail pixels (`thumbnail-pixels.ts`): the first frame as WebP in sRGB. Returns its
 * ThumbHash (Evan Wallace), base64.
 */
export async function writeThumbnail(small: string, path: string, output: ImagePlan['output']): Promise<string> {
  const open = () =>
    guardedSharp(small)
      .extract({ left: 0, top: 0, ...thumbnailSize(output) })
      .toColorspace('srgb');
  const [{ data, info }] = await Promise.all([
    open()
      .resize(hashSide, hashSide, { fit: 'inside', withoutEnlargement: true })
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }),
    open().webp({ quality: 80, effort: 2 }).toFile(path),
  ]);
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}
