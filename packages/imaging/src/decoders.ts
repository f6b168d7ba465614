import sharp from 'sharp';

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
