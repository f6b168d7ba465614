import { type Curve, isExponent, power } from '../color/encoding.ts';
import { readTags } from './icc-profile.ts';

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
