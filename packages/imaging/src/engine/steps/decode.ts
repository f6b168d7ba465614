import { AppError } from '@uprez/contracts/app-error';
import type { Inspection } from '@uprez/contracts/image-plan';
import { limits } from '@uprez/contracts/limits';
import { guardedSharp } from '../../decoders.ts';

/** A full disk is our trouble, not the picture's. */
const writeFailure = /no space|unable to write|write error|unable to open for write/i;

/**
 * Decode a picture to `path`, a `.v` file of 8-bit samples: upright (EXIF orientation applied), in sRGB or grey, an
 * embedded profile converted. The bytes enter as a buffer only. Throws AppError `corrupt_image`.
 */
export async function decode(file: Buffer, source: Inspection, path: string): Promise<void> {
  const isGrey = source.channels < 3;
  try {
    await guardedSharp(file, { failOn: 'warning', limitInputPixels: limits.inputPixels, sequentialRead: true })
      .autoOrient()
      .toColourspace(isGrey ? 'b-w' : 'srgb')
      .toFile(path);
  } catch (cause) {
    if (cause instanceof Error && writeFailure.test(cause.message)) throw cause;
    throw new AppError('corrupt_image', { cause });
  }
}
