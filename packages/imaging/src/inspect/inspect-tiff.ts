import type { Inspection } from '@uprez/contracts/schemas/image-plan';
import { checkTiff, isLab, photometric } from './check-tiff.ts';
import { inspectWithSharp } from './inspect-with-sharp.ts';
import { readTiff, tiffTag } from './read-tiff.ts';

/** What a TIFF's header says. Throws AppError `corrupt_image` or `unsupported_format`. */
export async function inspectTiff(file: Buffer): Promise<Inspection> {
  const tiff = readTiff(file);
  checkTiff(tiff);
  if (!isLab(tiff)) return inspectWithSharp(file, 'tiff');
  return { ...(await inspectWithSharp(disguiseLab(file), 'tiff')), space: 'lab', decodesWhole: true };
}

/**
 * A copy of a Lab TIFF that calls its samples RGB: libvips 8.18 cannot open 8-bit Lab, and takes the white point of 16-bit
 * Lab for D65. Whoever decodes it converts the samples.
 */
export function disguiseLab(file: Buffer): Buffer {
  const copy = Buffer.from(file);
  const at = readTiff(file).first.get(tiffTag.photometric)?.at ?? 0;
  const isLittle = file[0] === 0x49;
  if (isLittle) copy.writeUInt16LE(photometric.rgb, at);
  else copy.writeUInt16BE(photometric.rgb, at);
  return copy;
}
