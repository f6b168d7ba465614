import { AppError } from '@uprez/contracts/errors/app-error';
import { openByteWriter, sliceChecked } from './byte-writer.ts';
import { encodeOrientation, orientationBytes, readOrientation } from './orientation.ts';

/**
 * `removesResolution`: whether to also remove the print resolution. Pixels that aren't square keep their aspect ratio.
 */
export type StripOptions = { removesResolution?: boolean };

const [startOfScan, endOfImage, comment, firstApp, lastApp] = [0xda, 0xd9, 0xfe, 0xe0, 0xef];
/** Segment of the color profile, which decoders need. */
const profileSegment = { marker: 0xe2, name: 'ICC_PROFILE\0' };
/**
 * Segments that decoders need and that have a fixed length, by marker: JFIF without its thumbnail, and Adobe's color
 * transform.
 */
const fixedSegments: Readonly<Record<number, { name: string; bytes: number }>> = {
  224: { name: 'JFIF\0', bytes: 18 },
  238: { name: 'Adobe', bytes: 16 },
};
const exifSegment = { marker: 0xe1, name: 'Exif\0\0' };

const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7;
const hasName = (segment: Buffer, name: string) => segment.toString('latin1', 4, 4 + name.length) === name;

/**
 * Removes all metadata from a JPEG file except its orientation and color profile. Also removes all data after the
 * image.
 */
export function stripJpeg(file: Buffer, options: StripOptions = {}): Buffer {
  const output = openByteWriter(file.length + orientationBytes);
  output.add(sliceChecked(file, 0, 2));
  for (let at = 2; ; ) {
    if (sliceChecked(file, at, at + 2)[0] !== 0xff) throw new AppError('corrupt_image');
    const marker = file[at + 1] as number;
    if (marker === 0xff) at += 1;
    else if (marker === endOfImage) {
      output.add(sliceChecked(file, at, at + 2));
      return output.finish();
    } else if (marker === 0x01 || isRestart(marker)) at += 2;
    else {
      const segment = sliceChecked(file, at, at + 2 + sliceChecked(file, at + 2, at + 4).readUInt16BE());
      output.add(keepSegment(marker, segment, options));
      at += segment.length;
      if (marker !== startOfScan) continue;
      const end = findScanEnd(file, at);
      output.add(sliceChecked(file, at, end));
      at = end;
    }
  }
}

const emptySegment = Buffer.alloc(0);

function keepSegment(marker: number, segment: Buffer, options: StripOptions): Buffer {
  if (segment.length < 4) throw new AppError('corrupt_image');
  if (marker === exifSegment.marker && hasName(segment, exifSegment.name)) return keepOrientation(segment);
  if (marker === comment) return emptySegment;
  if (marker < firstApp || marker > lastApp) return segment;
  if (marker === profileSegment.marker) return hasName(segment, profileSegment.name) ? segment : emptySegment;
  const { name, bytes } = fixedSegments[marker] ?? { name: '', bytes: Number.POSITIVE_INFINITY };
  if (segment.length < bytes || !hasName(segment, name)) return emptySegment;
  const cut = cutSegment(marker, segment, bytes);
  if (marker === firstApp && options.removesResolution) clearDensity(cut);
  return cut;
}

/** Converts the density in a JFIF segment to an aspect ratio (ITU-T T.871, unit 0). */
function clearDensity(segment: Buffer): void {
  const [unitAt, xAt, yAt] = [11, 12, 14];
  segment[unitAt] = 0;
  if (segment.readUInt16BE(xAt) !== segment.readUInt16BE(yAt)) return;
  segment.writeUInt16BE(1, xAt);
  segment.writeUInt16BE(1, yAt);
}

function cutSegment(marker: number, segment: Buffer, bytes: number): Buffer {
  const cut = Buffer.from(segment.subarray(0, bytes));
  cut.writeUInt16BE(bytes - 2, 2);
  // Clears the size of the thumbnail, because the thumbnail is cut off.
  if (marker === firstApp) cut.fill(0, bytes - 2);
  return cut;
}

function keepOrientation(segment: Buffer): Buffer {
  const orientation = readOrientation(segment.subarray(4 + exifSegment.name.length));
  if (orientation === 1) return emptySegment;
  const tiff = encodeOrientation(orientation);
  const length = 2 + exifSegment.name.length + tiff.length;
  const head = Buffer.from([0xff, exifSegment.marker, length >> 8, length & 0xff]);
  return Buffer.concat([head, Buffer.from(exifSegment.name, 'latin1'), tiff]);
}

/** Returns the end of the compressed data that begins at `start`: the next marker that isn't part of the data. */
function findScanEnd(file: Buffer, start: number): number {
  for (let at = start; at + 1 < file.length; at++) {
    if (file[at] !== 0xff) continue;
    const marker = file[at + 1] as number;
    if (marker !== 0 && marker !== 0xff && !isRestart(marker)) return at;
  }
  throw new AppError('corrupt_image');
}
