import type { InputFormat } from '@uprez/contracts/policy/image-formats';
import { type Encoding, srgb } from '../color/encoding.ts';
import { d50, isGamut } from '../color/gamut.ts';
import { guardedSharp } from '../decoders.ts';
import { checkProfile, readTags } from './icc-profile.ts';
import { labelAsStill } from './label-as-still.ts';
import { readPngProfile } from './png-profile.ts';
import { toCurve } from './read-grey-curve.ts';
import { readSourceColor } from './read-source-color.ts';

/** libvips' names of RGB. */
const rgbSpaces: readonly string[] = ['srgb', 'rgb', 'rgb16'];

/**
 * What the samples of a file mean, by its own description. Undefined if only its decoder can tell: profiles with tables, and
 * formats that libvips doesn't open.
 */
export async function readEncoding(file: Buffer, format: InputFormat): Promise<Encoding | undefined> {
  if (format === 'heic' || format === 'jxl') return undefined;
  const color = readSourceColor(file, format);
  if (color.kind === 'encoded') return color.encoding;
  if (color.kind === 'srgb') return srgb;
  if (format === 'bmp') return undefined;
  if (format === 'png') return readProfile(readPngProfile(file)?.icc);
  const { icc, space } = await guardedSharp(labelAsStill(file), { limitInputPixels: false }).metadata();
  // The decoder drops a profile of another color space.
  if (icc) return rgbSpaces.includes(space ?? '') ? readProfile(icc) : undefined;
  return space === 'cmyk' || space === 'lab' ? undefined : srgb;
}

/** The encoding of an ICC profile with a matrix and curves. Undefined for others. */
export function readProfile(icc: Buffer | undefined): Encoding | undefined {
  if (!icc || checkProfile(icc, 'rgb') !== 'usable') return undefined;
  const tags = readTags(icc);
  if ([...tags.keys()].some((name) => name.startsWith('A2B'))) return undefined;
  const curves = ['rTRC', 'gTRC', 'bTRC'].map((name) => readTag(tags.get(name), toCurve));
  const columns = ['rXYZ', 'gXYZ', 'bXYZ'].map((name) => readTag(tags.get(name), readChromaticity));
  const gamut = [...columns, toChromaticity(d50)].flatMap((part) => part ?? [Number.NaN]);
  if (!isGamut(gamut) || curves.some((curve) => !curve)) return undefined;
  return { gamut, curves: curves as unknown as Encoding['curves'] };
}

/** Undefined for a tag that is missing or cut off. */
function readTag<T>(tag: Buffer | undefined, read: (tag: Buffer) => T): T | undefined {
  try {
    return tag && read(tag);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const readChromaticity = (tag: Buffer) => toChromaticity([8, 12, 16].map((at) => tag.readInt32BE(at)));

function toChromaticity(xyz: readonly number[]): [x: number, y: number] {
  const [x = 0, y = 0, z = 0] = xyz;
  return [x / (x + y + z), y / (x + y + z)];
}
