import { AppError } from '@uprez/contracts/errors/app-error';
import { describeUnsupported, unreadableColours } from './describe-unsupported.ts';

/** Words by which decoders tell what they cannot do from what they cannot make sense of. */
const cannot = /unsupported(?! image format)|not supported|not implemented|not configured|channel limit/i;

/** What a decoder's complaint about a file means to the person who sent it; its words are for the log. */
export function makeReadError(cause: unknown, file: Buffer): AppError {
  // A sequence of frames has the brand `avis`; libvips opens none of them.
  if (file.toString('latin1', 4, 12) === 'ftypavis')
    return new AppError('unsupported_format', { detail: describeUnsupported('AVIF animation'), cause });
  return cause instanceof Error && cannot.test(cause.message)
    ? new AppError('unsupported_format', { detail: unreadableColours, cause })
    : new AppError('corrupt_image', { cause });
}
