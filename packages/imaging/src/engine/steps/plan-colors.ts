import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Sharp } from 'sharp';
import { isUsableProfile } from './is-usable-profile.ts';

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

/**
 * Decide how to decode the colors of an image: keep them with their profile, or convert them to sRGB where the output
 * requires it. EXIF, XMP, and IPTC fields are kept.
 */
export function planColors({ source, output }: ImagePlan, icc: Buffer | undefined): Colors {
  const names = source.space === 'grey' ? { 8: 'b-w', 16: 'grey16' } : { 8: 'srgb', 16: 'rgb16' };
  const colors = choose(source.space, output.format, icc);
  return { ...colors, apply: (image) => colors.apply(image).toColorspace(names[output.bitDepth]) };
}

function choose(space: ImagePlan['source']['space'], format: string, icc: Buffer | undefined): Colors {
  if (space === 'cmyk') return converted(decodeNotes.cmyk);
  if (space === 'lab') return { ...kept, notes: [decodeNotes.lab] };
  if (icc && !isUsableProfile(icc, space)) return withoutProfile;
  return icc && format === 'gif' ? converted(decodeNotes.profileConverted) : kept;
}
