import { limits } from '@uprez/contracts/limits';
import { rgbaToThumbHash } from 'thumbhash';
import { guardedSharp } from '../../decoders.ts';

/** ThumbHash takes at most so many pixels a side. */
const hashSide = 100;

/**
 * Write the small picture for lists from the first frame of the pixels: WebP in sRGB, longer side `limits.thumbnailSide`.
 * Answers its ThumbHash (Evan Wallace), base64.
 */
export async function writeThumbnail(pixels: string, path: string): Promise<string> {
  const side = limits.thumbnailSide;
  const small = await guardedSharp(pixels, { limitInputPixels: limits.outputPixels, sequentialRead: true })
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = small.info;
  const open = () => guardedSharp(small.data, { raw: { width, height, channels: 4 } });
  const [{ data, info }] = await Promise.all([
    open()
      .resize(hashSide, hashSide, { fit: 'inside', withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true }),
    open().webp({ quality: 80 }).toFile(path),
  ]);
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}
