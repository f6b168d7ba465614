import { formatBytes } from '../texts/format.ts';
import { AppError } from './app-error.ts';

/** The error of a file that exceeds a limit in bytes. */
export const fileTooLarge = (limit: number, param?: string): AppError =>
  new AppError('file_too_large', {
    detail: `The file is larger than ${formatBytes(limit)}.`,
    ...(param && { param }),
    meta: { limit },
  });
