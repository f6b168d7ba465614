import { type FileHandle, open } from 'node:fs/promises';
import { type RowFile, rowFile } from './row-file.ts';
import type { Depth } from './row-stream.ts';

/** Decoded rows with what libvips knows about them: `trailer` is XML (profile, EXIF, XMP, frames, delays, ...). */
export type VipsFile = RowFile & { trailer: string };

const headerBytes = 64;
const magic = 0x08f2a6b6;
/** Largest trailer that is read; a decoder puts whole EXIF and XMP blocks there. */
const maxTrailerBytes = 32 * 1024 * 1024;
/** libvips' sample formats that we decode to (VipsBandFormat): unsigned char and unsigned short. */
const depthOf: Record<number, Depth> = { 0: 8, 2: 16 };

/**
 * Open pixels that sharp wrote as a `.v` file, libvips' own layout: a 64-byte header (magic, width, height, bands, a
 * reserved word, sample format: little-endian words), raw rows, then XML. Frames of an animation lie one below the
 * other. Throws Error when the file is anything else, or of other samples than 8 or 16 bits.
 */
export async function openVipsFile(path: string): Promise<VipsFile> {
  const file = await open(path, 'r');
  try {
    const header = await readAt(file, 0, headerBytes);
    const depth = depthOf[header.readUInt32LE(20)];
    if (header.readUInt32LE(0) !== magic || !depth) throw new Error(`${path} holds no 8- or 16-bit libvips image`);
    const [width, height, channels] = [header.readUInt32LE(4), header.readUInt32LE(8), header.readUInt32LE(12)];
    const end = headerBytes + (width * height * channels * depth) / 8;
    const { size } = await file.stat();
    const trailer = await readAt(file, end, Math.max(0, Math.min(maxTrailerBytes, size - end)));
    return { ...rowFile(file, { width, height, channels, depth }, headerBytes), trailer: trailer.toString() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  if (bytesRead < length) throw new Error('the file is too short for a libvips image');
  return bytes;
}

/** A block of metadata in a trailer, such as `icc-profile-data` or `xmp-data`; undefined when there is none. */
export function findBlob(trailer: string, name: string): Buffer | undefined {
  const start = trailer.indexOf(`<field type="VipsBlob" name="${name}">`);
  if (start < 0) return undefined;
  const from = trailer.indexOf('>', start) + 1;
  return Buffer.from(trailer.slice(from, trailer.indexOf('<', from)), 'base64');
}
