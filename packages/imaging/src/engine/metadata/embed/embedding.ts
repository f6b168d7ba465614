import type { ExifFields } from '../exif/read-exif.ts';
import type { Resolution } from '../resolution.ts';

/** `exif`: EXIF data from its TIFF header on. `fields`: the same, for files that have directories of their own. */
export type Embedding = {
  exif: Buffer | undefined;
  fields: ExifFields | undefined;
  xmp: Buffer | undefined;
  resolution: Resolution | undefined;
};
/** `head`: the first bytes of the file. `read`: others. */
export type EncodedFile = {
  head: Buffer;
  sizeBytes: number;
  read: (at: number, length: number) => Promise<Buffer>;
};
