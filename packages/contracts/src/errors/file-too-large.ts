import { AppError } from './app-error.ts';

const MB = 1024 * 1024;

/** The error of a file that exceeds a limit in bytes. */
export const fileTooLarge = (limit: number, param?: string): AppError =>
  new AppError('file_too_large', {
    detail: `The file is larger than ${Math.round(limit / MB)} MB.`,
    ...(param && { param }),
    meta: { limit },
  });
