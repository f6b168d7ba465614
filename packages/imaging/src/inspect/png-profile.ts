import { inflateSync } from 'node:zlib';
import { findPngProfile } from '../color/read-png-color.ts';
import { checkProfile, maxProfileBytes, type ProfileState, readTags } from './icc-profile.ts';
import { readGreyCurve } from './read-grey-curve.ts';

const colorTypeAt = 25;
/** Gray, and gray with transparency. */
const greyTypes = [0, 4];

/** The profile of a PNG. `isGrey`: whether its pixels are, for which the decoder drops it. */
export type PngProfile = { icc: Buffer; isGrey: boolean; state: ProfileState };

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
