import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Sharp } from 'sharp';
import { colorSpace } from './open-pixels.ts';

/** Notes about decoding, for the receipt. */
export const decodeNotes = {
  cmyk: 'The colors were converted from CMYK to sRGB.',
  lab: 'The colors were converted from Lab to sRGB.',
  profileConverted: "The colors were converted to sRGB because the output format doesn't support color profiles.",
  profileUnusable: 'The color profile is damaged or unsupported and was removed.',
  bitsReduced: 'The bit depth was reduced to 8 bits, the maximum of the output format.',
  firstFrame: 'Only the first frame of the animation was processed.',
  firstPage: 'The file has several pages. Only the first one was processed.',
} as const;

/** Color handling of a decoder. `ignoreIcc` is the sharp option. */
export type Colors = { ignoreIcc: boolean; notes: string[]; apply: (image: Sharp) => Sharp };

const kept: Colors = { ignoreIcc: true, notes: [], apply: (image) => image.keepMetadata() };
/** Convert from the embedded profile, or the default one of the color space, and remove it. */
const converted = (note: string): Colors => ({
  ignoreIcc: false,
  notes: [note],
  apply: (image) => image.keepMetadata().withIccProfile('srgb', { attach: false }),
});
const withoutProfile: Colors = {
  ignoreIcc: true,
  notes: [decodeNotes.profileUnusable],
  apply: (image) => image.keepExif().keepXmp(),
};

/** Keep the colors of an image with their profile, or convert them to sRGB where the output requires it. */
export function planColors({ source, output }: ImagePlan, icc: Buffer | undefined): Colors {
  const space = colorSpace(source.space === 'grey', output.bitDepth);
  const colors = choose(source.space, output.format, icc);
  return { ...colors, apply: (image) => colors.apply(image).toColorspace(space) };
}

function choose(space: ImagePlan['source']['space'], format: string, icc: Buffer | undefined): Colors {
  if (space === 'cmyk') return converted(decodeNotes.cmyk);
  if (space === 'lab') return { ...kept, notes: [decodeNotes.lab] };
  if (icc && !isUsableProfile(icc, space)) return withoutProfile;
  return icc && format === 'gif' ? converted(decodeNotes.profileConverted) : kept;
}

/** Data color space signatures (ICC.1:2022, 7.2.6). */
const signatures = { grey: 'GRAY', rgb: 'RGB ' };
const profileHeaderBytes = 128;
/** Real profiles are smaller. */
const maxProfileBytes = 8 * 1024 * 1024;
/** Tags of the color transform: curves and a matrix, or lookup tables. */
const matrixTags = { grey: ['kTRC'], rgb: ['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'] };
const tableTags = ['A2B0', 'A2B1'];

/** Whether an ICC profile belongs to this color space and is complete: size, signature, and required tags. */
function isUsableProfile(icc: Buffer, space: 'grey' | 'rgb'): boolean {
  if (icc.length < profileHeaderBytes + 4 || icc.length > maxProfileBytes || icc.readUInt32BE(0) > icc.length)
    return false;
  if (icc.toString('latin1', 36, 40) !== 'acsp' || icc.toString('latin1', 16, 20) !== signatures[space]) return false;
  const tags = readTags(icc);
  return matrixTags[space].every((name) => tags.has(name)) || tableTags.some((name) => tags.has(name));
}

/** Names of the tags whose data lies within the profile. */
function readTags(icc: Buffer): Set<string> {
  const tags = new Set<string>();
  const count = Math.min(icc.readUInt32BE(profileHeaderBytes), Math.floor((icc.length - profileHeaderBytes - 4) / 12));
  for (let i = 0; i < count; i++) {
    const at = profileHeaderBytes + 4 + i * 12;
    if (icc.readUInt32BE(at + 4) + icc.readUInt32BE(at + 8) <= icc.length) tags.add(icc.toString('latin1', at, at + 4));
  }
  return tags;
}
