import { guardedSharp } from '../../decoders.ts';
import { headerBytes, readTags } from '../../inspect/icc-profile.ts';
import { assembleTags } from './apply-color.ts';

/** Measurements that the profile was made from. They are three quarters of the file, and conversions don't use them. */
const measurementTags = ['targ', 'DevD', 'CIED'];

let profile: Promise<Buffer> | undefined;

/** Returns the CMYK profile of libvips without its measurements, which are in the public domain like the profile. */
export const loadGenericProfile = (): Promise<Buffer> => {
  profile ??= extractProfile();
  return profile;
};

async function extractProfile(): Promise<Buffer> {
  const pixel = { create: { width: 1, height: 1, channels: 3, background: 'white' } } as const;
  const file = await guardedSharp(pixel).withIccProfile('cmyk').tiff().toBuffer();
  const { icc } = await guardedSharp(file).metadata();
  if (!icc) throw new Error('libvips has no CMYK profile');
  const shared = new Map<number, Buffer>();
  const tags = [...readTags(icc)].flatMap(([name, data]): [string, Buffer][] => {
    if (measurementTags.includes(name)) return [];
    const known = shared.get(data.byteOffset) ?? data;
    shared.set(data.byteOffset, known);
    return [[name, known]];
  });
  return assembleTags(icc.subarray(0, headerBytes), tags);
}
