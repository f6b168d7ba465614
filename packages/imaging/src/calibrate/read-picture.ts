import sharp from 'sharp';
import type { Rgb } from './tile.ts';

/** Reads a picture file of the operator's own as RGB, shrunk by `factor`. Throws when sharp cannot read it. */
export async function readPicture(path: string, factor = 1): Promise<Rgb> {
  const { width } = await sharp(path).metadata();
  const image = sharp(path)
    .removeAlpha()
    .toColourspace('srgb')
    .resize(Math.round(width * factor));
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
