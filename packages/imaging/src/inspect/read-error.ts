import { AppError } from '@uprez/contracts/errors/app-error';
import { describeUnsupported } from '../sniff/describe-unsupported.ts';

export const unsupportedColors =
  "This image's color format isn't supported. Save it as PNG, JPEG, or TIFF with 8 or 16 bits per channel first.";

const unsupportedPattern = /unsupported(?! image format)|not (?:supported|implemented|configured)|channel limit/i;

/** Converts a decoder's error to an AppError. The decoder's message becomes the cause, for the log only. */
export function toReadError(cause: unknown, file?: Buffer): AppError {
  // libvips can't open image sequences. Sequences with a still image are opened as that still image.
  if (file?.toString('latin1', 4, 12) === 'ftypavis')
    return new AppError('unsupported_format', { detail: describeUnsupported('AVIF animation'), cause });
  return cause instanceof Error && unsupportedPattern.test(cause.message)
    ? new AppError('unsupported_format', { detail: unsupportedColors, cause })
    : new AppError('corrupt_image', { cause });
}

/** Messages about disk errors, which aren't caused by the image. */
const diskErrorPattern = /system error|no space|unable to write|write error|write failed|unable to open for write/i;

/** Converts a decoder's error to an AppError about the file. Returns AppErrors and disk errors unchanged. */
export function toDecodeError(cause: unknown, file: Buffer | undefined): unknown {
  if (cause instanceof AppError || (cause instanceof Error && diskErrorPattern.test(cause.message))) return cause;
  return toReadError(cause, file);
}
