import { open } from 'node:fs/promises';
import type { OutputFormat } from '@uprez/contracts/policy/image-formats';
import type { ExifFields } from '../exif/read-exif.ts';
import { writeExif } from '../exif/write-exif.ts';
import { fieldsOfResolution } from '../resolution.ts';
import type { ResultMetadata } from '../select-metadata.ts';
import { embedInAvif } from './embed-in-avif.ts';
import { embedInGif } from './embed-in-gif.ts';
import { embedInJpeg } from './embed-in-jpeg.ts';
import { embedInPng } from './embed-in-png.ts';
import { embedInTiff } from './embed-in-tiff.ts';
import { embedInWebp } from './embed-in-webp.ts';
import type { Embedding, EncodedFile } from './embedding.ts';
import { type Edit, readBytes, spliceFile } from './splice-file.ts';

/** Formats whose metadata is written after the encoder. The container of JPEG XL is written with its metadata. */
type EmbeddedFormat = Exclude<OutputFormat, 'jxl'>;
const embedders: Record<EmbeddedFormat, (file: EncodedFile, metadata: Embedding) => Edit[] | Promise<Edit[]>> = {
  jpeg: embedInJpeg,
  png: embedInPng,
  webp: embedInWebp,
  avif: embedInAvif,
  tiff: embedInTiff,
  gif: embedInGif,
};

/** EXIF fields with the resolution. PNG files have a chunk for it, so it is no reason to add EXIF data. */
export function exifOf({ exif, resolution }: ResultMetadata, format: OutputFormat): ExifFields | undefined {
  if (!resolution || (format === 'png' && !exif)) return exif;
  const { image, ...others } = exif ?? { image: [], exif: [], gps: [] };
  return { image: [...image, ...fieldsOfResolution(resolution)], ...others };
}

/** Headers of results are shorter. */
const headBytes = 64 * 1024;

/**
 * Write metadata into an encoded file. libvips would write only ASCII texts of the EXIF tags that it knows. Returns without a
 * change if there is no metadata.
 */
export async function embedMetadata(path: string, format: EmbeddedFormat, metadata: ResultMetadata): Promise<void> {
  const { resolution } = metadata;
  const fields = exifOf(metadata, format);
  if (!fields && !metadata.xmp && !resolution) return;
  const exif = fields && writeExif(fields);
  const xmp = metadata.xmp === undefined ? undefined : Buffer.from(metadata.xmp);
  const handle = await open(path, 'r');
  let edits: Edit[];
  try {
    const { size } = await handle.stat();
    const read = (at: number, length: number) => readBytes(handle, at, length);
    const file = { head: await read(0, headBytes), sizeBytes: size, read };
    edits = await embedders[format](file, { exif, fields, xmp, resolution });
  } finally {
    await handle.close();
  }
  await spliceFile(path, edits);
}
