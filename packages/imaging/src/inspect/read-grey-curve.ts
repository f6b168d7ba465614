import { inflateSync } from 'node:zlib';
import { type Curve, power } from '../color/encoding.ts';
import { listPngChunks } from '../color/read-png-color.ts';

const colorTypeAt = 25;
/** Grey, and grey with transparency. */
const greyTypes = [0, 4];
const maxProfileBytes = 1024 * 1024;
/** Tags follow their number, after the header (ICC.1:2022, 7.3). */
const [tagsAt, tagBytes, maxTags] = [128, 12, 100];

/** The curve of the profile of a grey PNG, which its decoder drops. Undefined for other images, and for damaged profiles. */
export function readGreyCurve(file: Buffer): Curve | undefined {
  if (!greyTypes.includes(file[colorTypeAt] ?? -1)) return undefined;
  const chunk = listPngChunks(file).find(({ name }) => name === 'iCCP');
  if (!chunk) return undefined;
  const data = file.subarray(chunk.start, chunk.end);
  try {
    return readCurve(inflateSync(data.subarray(data.indexOf(0) + 2), { maxOutputLength: maxProfileBytes }));
  } catch {
    return undefined;
  }
}

/** Throws RangeError for profiles that are cut off. */
function readCurve(icc: Buffer): Curve | undefined {
  if (icc.toString('latin1', 16, 20) !== 'GRAY' || icc.toString('latin1', 36, 40) !== 'acsp') return undefined;
  const count = Math.min(maxTags, icc.readUInt32BE(tagsAt));
  for (let i = 0, at = tagsAt + 4; i < count; i++, at += tagBytes)
    if (icc.toString('latin1', at, at + 4) === 'kTRC') return toCurve(icc.subarray(icc.readUInt32BE(at + 4)));
  return undefined;
}

/** A curveType of one exponent or of a table (ICC.1:2022, 10.6). */
function toCurve(tag: Buffer): Curve | undefined {
  if (tag.toString('latin1', 0, 4) !== 'curv') return undefined;
  const count = tag.readUInt32BE(8);
  if (count === 0) return power(1);
  if (count === 1) return power(tag.readUInt16BE(12) / 256);
  if (12 + 2 * count > tag.length) return undefined;
  const valueAt = (i: number) => tag.readUInt16BE(12 + 2 * i) / 65_535;
  return (sample) => {
    const place = sample * (count - 1);
    const below = Math.min(count - 2, Math.floor(place));
    return valueAt(below) + (valueAt(below + 1) - valueAt(below)) * (place - below);
  };
}
