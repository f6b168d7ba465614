import { readFile } from 'node:fs/promises';
import { guardedSharp } from '../decoders.ts';
import type { Rgb } from './tile.ts';

/** Reads an image file of the operator's own as RGB, shrunk by `factor`. Throws when it cannot be decoded. */
export async function readImage(path: string, factor = 1): Promise<Rgb> {
  const file = await readFile(path);
  const { width } = await guardedSharp(file).metadata();
  const image = guardedSharp(file)
    .removeAlpha()
    .toColorspace('srgb')
    .resize(Math.round(width * factor));
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
