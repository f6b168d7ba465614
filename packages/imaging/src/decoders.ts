import sharp, { type Metadata, type Sharp } from 'sharp';

/**
 * Decoders that stay enabled. libvips selects a decoder by the content of a file, and only some decoders are hardened
 * against hostile input. All others are blocked. Buffer decoders are for uploaded images (BMP has its own decoder), and
 * file decoders are for pixels that the engine wrote. Importing this module applies the list to the whole process.
 */
const allowedLoaders = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadNsgifBuffer',
  'VipsForeignLoadTiffBuffer',
  'VipsForeignLoadHeifBuffer',
  'VipsForeignLoadVipsFile',
  'VipsForeignLoadTiffFile',
];
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: allowedLoaders });
sharp.cache(false);

/** sharp with the decoder allow-list. No other module of this package may import sharp. */
export const guardedSharp = sharp;

/**
 * Converts an image to sRGB. If 16-bit pixels have a profile, sharp processes them in Display P3, and only converts
 * them to sRGB if an output profile is named. If one is named for pixels without a profile, sharp assumes that they are
 * Display P3.
 */
export function toSrgb(image: Sharp, { hasProfile }: Pick<Metadata, 'hasProfile'>): Sharp {
  return (hasProfile ? image.withIccProfile('srgb', { attach: false }) : image).toColorspace('srgb');
}
