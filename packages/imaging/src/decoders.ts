import sharp, { type Metadata, type Sharp } from 'sharp';

/**
 * Decoders that stay enabled. libvips selects a decoder by the content of a file, and only some decoders are hardened
 * against hostile input. All others are blocked. Buffer decoders read uploaded images, except BMP, which has its own
 * decoder. File decoders read pixels that the engine wrote. Importing this module applies the list to the whole
 * process.
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
 * Converts an image to sRGB. The output profile is named only for images with a profile. sharp processes 16-bit pixels
 * with a profile in Display P3, and converts them to sRGB only if an output profile is named. For pixels without a
 * profile, naming one makes sharp assume that they are Display P3.
 */
export function toSrgb(image: Sharp, { hasProfile }: Pick<Metadata, 'hasProfile'>): Sharp {
  return (hasProfile ? image.withIccProfile('srgb', { attach: false }) : image).toColorspace('srgb');
}
