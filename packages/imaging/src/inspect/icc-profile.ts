import { inflateSync } from 'node:zlib';
import { type Curve, isExponent, power } from '../color/encoding.ts';
import { findPngProfile } from '../color/read-png-color.ts';

/** Data color space signatures (ICC.1:2022, 7.2.6). */
const signatures = { grey: 'GRAY', rgb: 'RGB ' };
type Space = keyof typeof signatures;
const headerBytes = 128;
const tagBytes = 12;
/** Real profiles are smaller. */
const maxProfileBytes = 8 * 1024 * 1024;
/** Tags of the color transform: curves and a matrix, or lookup tables. */
const matrixTags = { grey: ['kTRC'], rgb: ['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'] };
const tableTags = ['A2B0', 'A2B1'];

/** `foreign`: complete, but for images of another color space. */
type ProfileState = 'usable' | 'foreign' | 'damaged';

/** Check whether an ICC profile is complete (size, signature, required tags), and belongs to a color space. */
export function checkProfile(icc: Buffer, space: Space): ProfileState {
  if (icc.length < headerBytes + 4 || icc.length > maxProfileBytes || icc.readUInt32BE(0) > icc.length)
    return 'damaged';
  if (icc.toString('latin1', 36, 40) !== 'acsp') return 'damaged';
  if (icc.toString('latin1', 16, 20) !== signatures[space]) return 'foreign';
  const tags = readTags(icc);
  const isComplete = matrixTags[space].every((name) => tags.has(name)) || tableTags.some((name) => tags.has(name));
  return isComplete ? 'usable' : 'damaged';
}

/** The color space that a profile is for, as far as images have it. */
export const profileSpace = (icc: Buffer): Space =>
  icc.toString('latin1', 16, 20) === signatures.grey ? 'grey' : 'rgb';

/** Data of the tags that lie within the profile, by name (ICC.1:2022, 7.3). */
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
/** Gray, and gray with transparency. */
const greyTypes = [0, 4];

/** The profile of a PNG. `isGrey`: whether its pixels are, for which the decoder drops it. */
type PngProfile = { icc: Buffer; isGrey: boolean; state: ProfileState };

/** Read the profile of a PNG. Undefined for a file without one. */
export function readPngProfile(file: Buffer): PngProfile | undefined {
  const chunk = findPngProfile(file);
  if (!chunk) return undefined;
  const icc = unpack(file.subarray(chunk.start, chunk.end));
  const isGrey = greyTypes.includes(file[colorTypeAt] ?? -1);
  const state = checkProfile(icc, isGrey ? 'grey' : 'rgb');
  const isUnread = isGrey && state === 'usable' && !readGreyCurve(icc) && readTags(icc).has('kTRC');
  return { icc, isGrey, state: isUnread ? 'damaged' : state };
}

/** A name and the kind of compression come first. Empty if the data is damaged. */
function unpack(data: Buffer): Buffer {
  try {
    return inflateSync(data.subarray(data.indexOf(0) + 2), { maxOutputLength: maxProfileBytes });
  } catch {
    return Buffer.alloc(0);
  }
}

/** The curve of a gray ICC profile. Undefined for profiles that are damaged or have no curve. */
export function readGreyCurve(icc: Buffer): Curve | undefined {
  try {
    const tag = readTags(icc).get('kTRC');
    return tag && toCurve(tag);
  } catch {
    return undefined;
  }
}

/** A curveType (ICC.1:2022, 10.6) or a parametricCurveType (10.18). Throws RangeError for curves that are cut off. */
export function toCurve(tag: Buffer): Curve | undefined {
  const type = tag.toString('latin1', 0, 4);
  if (type === 'para') return toFunction(tag);
  return type === 'curv' ? toTable(tag) : undefined;
}

/** A curve of one exponent or of a table. */
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

/** Number of parameters of each function type: the exponent, then a to f in the order of the standard. */
const parameterCounts = [1, 3, 4, 5, 7];

/**
 * An exponent of a linear function from a limit on, and a line below it. All types are cases of the last one. Its parameters are
 * named as in the standard.
 */
function toFunction(tag: Buffer): Curve | undefined {
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
