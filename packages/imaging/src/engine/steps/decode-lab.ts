import { limits } from '@uprez/contracts/policy/limits';
import { guardedSharp } from '../../decoders.ts';
import { disguiseLab } from '../../inspect/inspect-tiff.ts';
import { makeLabConverter } from './lab-to-srgb.ts';
import type { RawImage } from './raw-image.ts';

/** Decode a Lab TIFF (TIFF 6.0, section 23; white point D50) of 8 or 16 bits to sRGB samples, upright. Throws sharp's errors. */
export async function decodeLab(file: Buffer): Promise<RawImage> {
  const options = { failOn: 'warning', limitInputPixels: limits.inputPixels, ignoreIcc: true } as const;
  const image = guardedSharp(disguiseLab(file), options).autoOrient();
  const { depth } = await image.metadata();
  const isDeep = depth === 'ushort';
  const { data, info } = await image
    .toColourspace(isDeep ? 'rgb16' : 'srgb')
    .raw({ depth: isDeep ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const samples = isDeep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  const convert = makeLabConverter(isDeep ? 16 : 8);
  for (let i = 0; i < samples.length; i += info.channels) convert(samples, i);
  const { width, height, channels } = info;
  return { data: samples, width, height, channels: channels as 3 | 4 };
}
