import type { Inspection } from '@uprez/contracts/schemas/image-plan';
import { checkTiff, isLab, photometric } from './check-tiff.ts';
import { inspectWithSharp } from './inspect-with-sharp.ts';
import { readTiff, tiffTag } from './read-tiff.ts';

/** Inspect a TIFF. Throws AppError `corrupt_image` or `unsupported_format`. */
export async function inspectTiff(file: Buffer): Promise<Inspection> {
  const tiff = readTiff(file);
  checkTiff(tiff);
  if (!isLab(tiff)) return inspectWithSharp(file, 'tiff');
  return { ...(await inspectWithSharp(labelLabAsRgb(file), 'tiff')), space: 'lab', decodesWhole: true };
}

/**
 * Copy a Lab TIFF and label its samples as RGB: libvips 8.18 cannot open 8-bit Lab, and reads 16-bit Lab with a white point
 * of D65. The caller converts the decoded samples.
 */
export function labelLabAsRgb(file: Buffer): Buffer {
  const copy = Buffer.from(file);
  const at = readTiff(file).first.get(tiffTag.photometric)?.at ?? 0;
  const isLittle = file[0] === 0x49;
  if (isLittle) copy.writeUInt16LE(photometric.rgb, at);
  else copy.writeUInt16BE(photometric.rgb, at);
  return copy;
}
