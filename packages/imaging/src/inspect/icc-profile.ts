import { inflateSync } from 'node:zlib';
import { type Curve, isExponent, power } from '../color/encoding.ts';
import { findPngProfile } from '../color/read-png-color.ts';

/** Data color space signatures (ICC.1:2022, 7.2.6). */
const signatures = { grey: 'GRAY', rgb: 'RGB ' };
type Space = keyof typeof signatures;
/** Size of the header of an ICC profile, in bytes. */
export const headerBytes = 128;
const tagBytes = 12;
/** Maximum size of a profile, in bytes. Real profiles are smaller. */
const maxProfileBytes = 8 * 1024 * 1024;
/** Tags that contain the color transform: curves with a matrix (`matrixTags`), or lookup tables (`tableTags`). */
const matrixTags = { grey: ['kTRC'], rgb: ['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'] };
const tableTags = ['A2B0', 'A2B1'];

/** `foreign`: the profile is valid but belongs to another color space. */
type ProfileState = 'usable' | 'foreign' | 'damaged';

/** Checks whether an ICC profile is complete (size, signature, required tags) and belongs to a color space. */
export function checkProfile(icc: Buffer, space: Space): ProfileState {
  if (icc.length < headerBytes + 4 || icc.length > maxProfileBytes || icc.readUInt32BE(0) > icc.length)
    return 'damaged';
  if (icc.toString('latin1', 36, 40) !== 'acsp') return 'damaged';
  if (icc.toString('latin1', 16, 20) !== signatures[space]) return 'foreign';
  const tags = readTags(icc);
  const isComplete = matrixTags[space].every((name) => tags.has(name)) || tableTags.some((name) => tags.has(name));
  return isComplete ? 'usable' : 'damaged';
}

/** Returns the color space that a profile belongs to: gray, or RGB for all other profiles. */
export const readProfileSpace = (icc: Buffer): Space =>
  icc.toString('latin1', 16, 20) === signatures.grey ? 'grey' : 'rgb';

/** Returns the data of the tags that lie within the profile, by name (ICC.1:2022, 7.3). */
export function readTags(icc: Buffer): Map<string, Buffer> {
  const tags = new Map<string, Buffer>();
  const count = Math.min(icc.readUInt32BE(headerBytes), Math.floor((icc.length - headerBytes - 4) / tagBytes));
  for (let i = 0; i < count; i++) {
    const at = headerBytes + 4 + i * tagBytes;
    const [start, length] = [icc.readUInt32BE(at + 4), icc.readUInt32BE(at + 8)];
    if (start + length <= icc.length) tags.set(icc.toString('latin1', at, at + 4), icc.subarray(start, start + length));
  }
  return tags;
}

const colorTypeAt = 25;
const grayColorTypes = [0, 4];

/** The profile of a PNG. The decoder drops profiles of gray images. */
type PngProfile = { icc: Buffer; isGray: boolean; state: ProfileState };

/** Reads the profile of a PNG. Returns undefined if it has none. */
export function readPngProfile(file: Buffer): PngProfile | undefined {
  const chunk = findPngProfile(file);
  if (!chunk) return undefined;
  const icc = decompressProfile(file.subarray(chunk.start, chunk.end));
  const isGray = grayColorTypes.includes(file[colorTypeAt] ?? -1);
  const state = checkProfile(icc, isGray ? 'grey' : 'rgb');
  const isUnread = isGray && state === 'usable' && !readGrayCurve(icc) && readTags(icc).has('kTRC');
  return { icc, isGray, state: isUnread ? 'damaged' : state };
}

/**
 * Decompresses the profile in an iCCP chunk, which follows the profile's name and the compression method. Returns an
 * empty buffer if the data is damaged.
 */
function decompressProfile(data: Buffer): Buffer {
  try {
    return inflateSync(data.subarray(data.indexOf(0) + 2), { maxOutputLength: maxProfileBytes });
  } catch {
    return Buffer.alloc(0);
  }
}

/** Returns the curve of a gray ICC profile. Returns undefined if the profile is damaged or has no curve. */
export function readGrayCurve(icc: Buffer): Curve | undefined {
  try {
    const tag = readTags(icc).get('kTRC');
    return tag && toCurve(tag);
  } catch {
    return undefined;
  }
}

/** Reads a curveType (ICC.1:2022, 10.6) or a parametricCurveType (10.18). Throws RangeError if the curve is cut off. */
export function toCurve(tag: Buffer): Curve | undefined {
  const type = tag.toString('latin1', 0, 4);
  if (type === 'para') return toParametricCurve(tag);
  return type === 'curv' ? toTable(tag) : undefined;
}

/** Reads a curveType: a gamma value or a table. */
function toTable(tag: Buffer): Curve | undefined {
  const count = tag.readUInt32BE(8);
  if (count === 0) return power(1);
  if (count === 1) {
    const exponent = tag.readUInt16BE(12) / 256;
    return isExponent(exponent) ? power(exponent) : undefined;
  }
  if (12 + 2 * count > tag.length) return undefined;
  const valueAt = (i: number) => tag.readUInt16BE(12 + 2 * i) / 65_535;
  return (sample) => {
    const place = sample * (count - 1);
    const below = Math.min(count - 2, Math.floor(place));
    return valueAt(below) + (valueAt(below + 1) - valueAt(below)) * (place - below);
  };
}

/** Parameter count of each function type. The parameters are the exponent, then a to f in the standard's order. */
const parameterCounts = [1, 3, 4, 5, 7];

/**
 * Reads a parametricCurveType. The curve is a line up to a limit, and a power of a linear function above it. All types
 * are special cases of the last type. Parameters are named as in the standard.
 */
function toParametricCurve(tag: Buffer): Curve | undefined {
  const type = tag.readUInt16BE(8);
  const count = parameterCounts[type];
  if (count === undefined) return undefined;
  const values = Array.from({ length: count }, (_, i) => tag.readInt32BE(12 + 4 * i) / 65_536);
  const [exponent = 0, a = 1, b = 0] = values;
  if (!isExponent(exponent) || a <= 0) return undefined;
  const [c = 0, d = 0, e = 0, f = 0] = type > 2 ? values.slice(3) : [0, -b / a, values[3], values[3]];
  return (sample) => {
    const light = sample >= d ? Math.max(0, a * sample + b) ** exponent + e : c * sample + f;
    return Math.min(1, Math.max(0, light));
  };
}
