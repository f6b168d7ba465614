import { AppError } from '@uprez/contracts/errors/app-error';
import { describeUnsupported } from '../sniff/describe-unsupported.ts';

/** Rejects a HEIF file by what it contains, a name as in `describe-unsupported.ts`. */
export const unsupportedHeif = (name: 'HEIF' | 'HEIC animation') =>
  new AppError('unsupported_format', { detail: describeUnsupported(name) });
