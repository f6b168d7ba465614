import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import { rgbaToThumbHash } from 'thumbhash';
import { guardedSharp } from '../../decoders.ts';
import { smallSize } from './make-small.ts';

/** ThumbHash takes at most so many pixels a side. */
const hashSide = 100;

/**
 * Write the image for lists from the small pixels (`make-small.ts`, frames one below the other): the first frame as
 * WebP in sRGB. Answers its ThumbHash (Evan Wallace), base64.
 */
export async function writeThumbnail(small: string, path: string, output: ImagePlan['output']): Promise<string> {
  const open = () =>
    guardedSharp(small)
      .extract({ left: 0, top: 0, ...smallSize(output) })
      .toColourspace('srgb');
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
