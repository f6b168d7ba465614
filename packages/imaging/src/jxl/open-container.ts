import { brotliDecompressSync } from 'node:zlib';
import { AppError } from '@uprez/contracts/errors/app-error';
import { listTopBoxes } from '../heif/describe-heif.ts';
import type { Box, TakeStep } from '../heif/read-boxes.ts';
import { indexBytes, isBareCodestream } from './open-codestream.ts';

/** The image of a file, and its metadata. `exif`: from its TIFF header on. `unread`: metadata is damaged or too large, or there is more. */
type JxlContainer = { codestream: Buffer; exif?: Buffer; xmp?: Buffer; unread?: boolean };

/** More than cameras and editors write. Metadata that is larger when it is unpacked is dropped. */
const maxMetadataBytes = 16 * 1_024 * 1_024;
const nameBytes = 4;
const offsetBytes = 4;

/**
 * Take a JPEG XL file apart (ISO/IEC 18181-2): the decoder in use can't read files with packed metadata. Damaged metadata is
 * dropped. Throws AppError `corrupt_image` when there is no image.
 */
export function openJxlContainer(file: Buffer, take: TakeStep): JxlContainer {
  if (isBareCodestream(file)) return { codestream: file };
  const boxes = listTopBoxes(file, take);
  const parts = boxes.flatMap(({ type, start, end }) => {
    if (type === 'jxlc') return [file.subarray(start, end)];
    return type === 'jxlp' ? [file.subarray(start + indexBytes, end)] : [];
  });
  if (parts.length === 0) throw new AppError('corrupt_image');
  const packedType = ({ start }: Box) => file.toString('latin1', start, start + nameBytes);
  // Only the first box of a type is unpacked, because a few bytes can unpack to megabytes.
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

/** The content of a box. A `brob` box holds the type and the packed content of another. Undefined if it can't be unpacked. */
function readMetadata(file: Buffer, { type, start, end }: Box): Buffer | undefined {
  if (type !== 'brob') return file.subarray(start, end);
  try {
    return brotliDecompressSync(file.subarray(start + nameBytes, end), { maxOutputLength: maxMetadataBytes });
  } catch {
    return undefined;
  }
}
