import { brotliDecompressSync } from 'node:zlib';
import { AppError } from '@uprez/contracts/errors/app-error';
import { listTopBoxes } from '../heif/describe-heif.ts';
import type { Box, TakeStep } from '../heif/read-boxes.ts';
import { indexBytes, isBareCodestream } from './open-codestream.ts';

/**
 * Codestream and metadata of a file. `exif`: EXIF data, starting at its TIFF header. `unread`: whether some metadata is
 * damaged, too large, or in additional boxes that aren't read.
 */
type JxlContainer = { codestream: Buffer; exif?: Buffer; xmp?: Buffer; unread?: boolean };

/**
 * Maximum size of metadata after decompression, in bytes. Cameras and editors write less. Larger metadata is dropped.
 */
const maxMetadataBytes = 16 * 1_024 * 1_024;
const nameBytes = 4;
const offsetBytes = 4;

/**
 * Splits a JPEG XL file into its codestream and metadata (ISO/IEC 18181-2), because the decoder can't read files with
 * compressed metadata. Drops damaged metadata. Throws AppError `corrupt_image` if the file has no image.
 */
export function splitJxlContainer(file: Buffer, take: TakeStep): JxlContainer {
  if (isBareCodestream(file)) return { codestream: file };
  const boxes = listTopBoxes(file, take);
  const parts = boxes.flatMap(({ type, start, end }) => {
    if (type === 'jxlc') return [file.subarray(start, end)];
    return type === 'jxlp' ? [file.subarray(start + indexBytes, end)] : [];
  });
  if (parts.length === 0) throw new AppError('corrupt_image');
  const packedType = ({ start }: Box) => file.toString('latin1', start, start + nameBytes);
  // Only the first box of a type is decompressed, because a few bytes can expand to megabytes.
  const isNamed = (box: Box, name: string) => box.type === name || (box.type === 'brob' && packedType(box) === name);
  const find = (name: string) => boxes.find((box) => isNamed(box, name));
  const [exifBox, xmpBox] = [find('Exif'), find('xml ')];
  const [block, xmp] = [exifBox, xmpBox].map((box) => box && readMetadata(file, box));
  const exif = block && block.length > offsetBytes ? block.subarray(offsetBytes + block.readUInt32BE(0)) : undefined;
  const contentOf = ({ start, end }: Box) => file.subarray(start, end);
  const hasOthers = (first: Box | undefined, name: string) =>
    first !== undefined && boxes.some((box) => isNamed(box, name) && !contentOf(box).equals(contentOf(first)));
  const unread =
    (exifBox && !exif?.length) || (xmpBox && !xmp?.length) || hasOthers(exifBox, 'Exif') || hasOthers(xmpBox, 'xml ');
  return {
    codestream: Buffer.concat(parts),
    ...(exif && exif.length > 0 && { exif }),
    ...(xmp && { xmp }),
    ...(unread && { unread }),
  };
}

/**
 * Returns the content of a box. A `brob` box contains the type and the compressed content of another box. Returns
 * undefined if the content can't be decompressed.
 */
function readMetadata(file: Buffer, { type, start, end }: Box): Buffer | undefined {
  if (type !== 'brob') return file.subarray(start, end);
  try {
    return brotliDecompressSync(file.subarray(start + nameBytes, end), { maxOutputLength: maxMetadataBytes });
  } catch {
    return undefined;
  }
}
