import { rgbaToThumbHash } from 'thumbhash';
import { guardedSharp } from '../../decoders.ts';

/** ThumbHash takes at most so many pixels a side. */
const hashSide = 100;

/**
 * Write the picture for lists from the small pixels (`make-small.ts`, frames one below the other): the first frame as
 * WebP in sRGB. Answers its ThumbHash (Evan Wallace), base64.
 */
export async function writeThumbnail(small: string, path: string, frames: number): Promise<string> {
  const { width, height } = await guardedSharp(small).metadata();
  const frame = { left: 0, top: 0, width, height: height / frames };
  const rgba = await guardedSharp(small)
    .extract(frame)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer();
  const open = () => guardedSharp(rgba, { raw: { width, height: frame.height, channels: 4 } });
  const [{ data, info }] = await Promise.all([
    open()
      .resize(hashSide, hashSide, { fit: 'inside', withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true }),
    open().webp({ quality: 80, effort: 2 }).toFile(path),
  ]);
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}
