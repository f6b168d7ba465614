import sharp, { type Metadata, type Sharp } from 'sharp';

/**
 * libvips selects a decoder by the content of a file, and only some decoders are hardened against hostile input. All but
 * these are blocked: buffers for uploaded images (BMP has its own decoder), and files for pixels that the engine wrote.
 * Importing this module applies the list to the whole process.
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

/** sharp with the decoder allow-list. No other module of this package imports sharp. */
export const guardedSharp = sharp;

/**
 * Converts an image to sRGB. sharp processes pixels of 16 bits in Display P3 if they have a profile, and stays there unless the
 * profile of the output is named. Then it takes those without a profile for Display P3.
 */
export function toSrgb(image: Sharp, { hasProfile }: Pick<Metadata, 'hasProfile'>): Sharp {
  return (hasProfile ? image.withIccProfile('srgb', { attach: false }) : image).toColorspace('srgb');
}
