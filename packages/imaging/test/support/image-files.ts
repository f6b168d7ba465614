import { guardedSharp } from '../../src/decoders.ts';
import { depthOf, type Image } from './images.ts';

const rawOf = ({ width, height, channels }: Image) => ({ raw: { width, height, channels } });
const spaces = { 8: { grey: 'b-w', color: 'srgb' }, 16: { grey: 'grey16', color: 'rgb16' } };
export const toSharp = (image: Image) =>
  guardedSharp(image.data, rawOf(image)).toColorspace(spaces[depthOf(image)][image.channels < 3 ? 'grey' : 'color']);

export const encodeAs = (image: Image, format: 'jpeg' | 'png' | 'webp'): Promise<Buffer> =>
  toSharp(image)
    .toFormat(format, { jpeg: { quality: 95 }, webp: { lossless: true }, png: {} }[format])
    .toBuffer();

/** Decodes a file without its orientation. */
export async function decodeFile(file: Buffer): Promise<Image> {
  const header = await guardedSharp(file).metadata();
  const { data, info } = await guardedSharp(file)
    .toColorspace(header.channels < 3 ? 'b-w' : 'srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { width, height, channels: channels as Image['channels'], data };
}
