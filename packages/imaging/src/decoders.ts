import sharp from 'sharp';

/**
 * libvips picks a decoder from a file's bytes, not from its name, and only some decoders are made for hostile input.
 * So all are blocked but these: images enter as buffers in the formats we offer (BMP has a decoder of ours); a path
 * is opened only for what the engine wrote itself. Importing this file applies the list to the whole process.
 */
const allowed = [
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
sharp.unblock({ operation: allowed });
sharp.cache(false);

/** sharp behind the decoder allow-list: the only import of sharp in this package. */
export const guardedSharp = sharp;
