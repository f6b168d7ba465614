import { rm } from 'node:fs/promises';
import { guardedSharp } from '../../decoders.ts';
import { openVipsFile } from '../rows/row-file.ts';

/** EXIF as a TIFF structure, and an XMP packet. */
type Metadata = { exif?: Buffer; xmp?: Buffer };

/**
 * Let libvips parse the metadata of a format that it can't decode: as that of a WebP of one pixel, whose blocks have no
 * maximum size. Returns the trailer of its `.v` file, which is written next to `path`. Damaged metadata is dropped.
 */
export async function readTrailer(metadata: Metadata, path: string): Promise<string> {
  if (!metadata.exif && !metadata.xmp) return '';
  const carrier = `${path}.metadata.v`;
  try {
    await guardedSharp(await makeCarrier(metadata))
      .keepMetadata()
      .toFile(carrier);
    const { trailer, close } = await openVipsFile(carrier);
    await close();
    return trailer;
  } catch {
    return '';
  } finally {
    await rm(carrier, { force: true });
  }
}

const riffHeaderBytes = 12;
/** Flags of the VP8X chunk (RFC 9649). */
const [hasExif, hasXmp] = [8, 4];
const exifHeader = Buffer.from('Exif\0\0', 'latin1');

async function makeCarrier({ exif, xmp }: Metadata): Promise<Buffer> {
  const pixel = { create: { width: 1, height: 1, channels: 3, background: '#000' } } as const;
  const still = await guardedSharp(pixel).webp({ lossless: true }).toBuffer();
  const extended = Buffer.alloc(10);
  extended[0] = (exif ? hasExif : 0) | (xmp ? hasXmp : 0);
  const body = Buffer.concat([
    Buffer.from('WEBP', 'latin1'),
    chunk('VP8X', extended),
    still.subarray(riffHeaderBytes),
    ...(exif ? [chunk('EXIF', Buffer.concat([exifHeader, exif]))] : []),
    ...(xmp ? [chunk('XMP ', xmp)] : []),
  ]);
  return chunk('RIFF', body);
}

function chunk(type: string, data: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.write(type, 'latin1');
  header.writeUInt32LE(data.length, 4);
  return Buffer.concat([header, data, Buffer.alloc(data.length % 2)]);
}
