import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Sharp } from 'sharp';
import { decodeNotes } from './decode-notes.ts';
import { isUsableProfile } from './is-usable-profile.ts';

/** What happens to colours while an image is decoded; `ignoreIcc` is sharp's option of that name. */
export type Colours = { ignoreIcc: boolean; notes: string[]; apply: (image: Sharp) => Sharp };

const kept: Colours = { ignoreIcc: true, notes: [], apply: (image) => image.keepMetadata() };
/** Through the embedded profile, or the usual one of its kind; it is left out then. */
const converted = (note: string): Colours => ({
  ignoreIcc: false,
  notes: [note],
  apply: (image) => image.keepMetadata().withIccProfile('srgb', { attach: false }),
});
const bare: Colours = {
  ignoreIcc: true,
  notes: [decodeNotes.profileUnusable],
  apply: (image) => image.keepExif().keepXmp(),
};

/**
 * What becomes of an image's colours: kept with their profile, or converted to sRGB where they must be. Its other fields
 * (EXIF, XMP, IPTC) travel along.
 */
export function planColours({ source, output }: ImagePlan, icc: Buffer | undefined): Colours {
  const names = source.space === 'grey' ? { 8: 'b-w', 16: 'grey16' } : { 8: 'srgb', 16: 'rgb16' };
  const colours = choose(source.space, output.format, icc);
  return { ...colours, apply: (image) => colours.apply(image).toColourspace(names[output.bitDepth]) };
}

function choose(space: ImagePlan['source']['space'], format: string, icc: Buffer | undefined): Colours {
  if (space === 'cmyk') return converted(decodeNotes.cmyk);
  if (space === 'lab') return { ...kept, notes: [decodeNotes.lab] };
  if (icc && !isUsableProfile(icc, space)) return bare;
  return icc && format === 'gif' ? converted(decodeNotes.profileConverted) : kept;
}
