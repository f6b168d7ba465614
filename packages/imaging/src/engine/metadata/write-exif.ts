import { guardedSharp } from '../../decoders.ts';
import type { ExifFields } from './exif-fields.ts';

type Size = { width: number; height: number };

const prefix = Buffer.from('Exif\0\0', 'latin1');

/**
 * Make the EXIF data, from its TIFF header on, of a format that libvips can't write: as that of a black PNG, which has the
 * size of the image because the fields contain it.
 */
export async function writeExif(fields: ExifFields, { width, height }: Size): Promise<Buffer> {
  const carrier = await guardedSharp({ create: { width, height, channels: 3, background: '#000' } })
    .toColorspace('b-w')
    .withExif(fields)
    .png({ compressionLevel: 1 })
    .toBuffer();
  const { exif = Buffer.alloc(0) } = await guardedSharp(carrier).metadata();
  return exif.subarray(0, prefix.length).equals(prefix) ? exif.subarray(prefix.length) : exif;
}
