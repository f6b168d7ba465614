import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { Inspection } from '@uprez/contracts/schemas/image-plan';
import { readNumbers, type Tiff, tiffTag, usesJpeg } from '../read-tiff.ts';
import { countJpegPixels } from './jpeg-scans.ts';
import { weighBytes } from './weigh-bytes.ts';

/** LZW codes of incompressible bytes have up to 12 bits. */
const growth = 1.5;

/**
 * Pixels of a plain TIFF that take as long to decode as this file: those of all scans of JPEG data, and bytes of strips and tiles
 * beyond the pixels that they hold. Strips and tiles may share their data, which is decoded for each. Throws AppError
 * `image_too_complex` or `corrupt_image`.
 */
export function countTiffPixels(file: Buffer, tiff: Tiff, { width, height, bitDepth }: Inspection): number {
  const of = (one: number, other: number) => {
    const tag = tiff.first.get(one) ?? tiff.first.get(other);
    if (!tag) return [];
    if (tag.count > limits.inspectionSteps.tiff) throw new AppError('corrupt_image', { limitName: 'image_structure' });
    return readNumbers(file, tag);
  };
  const offsets = of(tiffTag.tileOffsets, tiffTag.stripOffsets);
  const sizes = of(tiffTag.tileBytes, tiffTag.stripBytes);
  const samples = tiff.first.get(tiffTag.samplesPerPixel)?.value ?? 1;
  const stored = sizes.reduce((sum, bytes) => sum + Math.min(bytes, file.length), 0);
  const excess = stored - growth * width * height * samples * Math.ceil(bitDepth / 8);
  const scanned = usesJpeg(tiff) ? countScans(file, offsets, sizes) : 0;
  return Math.max(scanned, excess > 0 ? width * height + weighBytes('tiff', excess) : 0);
}

function countScans(file: Buffer, offsets: readonly number[], sizes: readonly number[]): number {
  const known = new Map<string, number>();
  let [cost, read] = [0, 0];
  for (const [i, at] of offsets.entries()) {
    const range = `${at}+${sizes[i] ?? 0}`;
    let pixels = known.get(range);
    if (pixels === undefined) {
      const data = file.subarray(at, at + (sizes[i] ?? 0));
      read += data.length;
      // Ranges that overlap hold no image, and reading each takes long.
      if (read > 2 * file.length)
        throw new AppError('image_too_complex', { meta: { limit: file.length, value: read } });
      pixels = countJpegPixels(data);
      known.set(range, pixels);
    }
    cost += pixels;
  }
  return cost;
}
