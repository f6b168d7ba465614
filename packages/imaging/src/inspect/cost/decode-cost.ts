import type { Inspection } from '@uprez/contracts/schemas/image-plan';
import { countJpegPixels } from './jpeg-scans.ts';

/**
 * Pixels of an ordinary image of the same format that take as long to decode as this file. Returns 0 where its own pixels tell.
 * Throws AppError `image_too_complex` for files that no encoder writes.
 */
export function countDecodedPixels(file: Buffer, { format }: Pick<Inspection, 'format'>): number {
  if (format === 'jpeg') return countJpegPixels(file);
  return 0;
}
