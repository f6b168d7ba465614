import { AppError } from '@uprez/contracts/errors/app-error';
import { toReadError } from '../../inspect/read-error.ts';

/** Disk errors are not caused by the image. */
const diskError = /system error|no space|unable to write|write error|write failed|unable to open for write/i;

/** Convert an error of a decoder to an AppError about its file. Returns AppErrors and disk errors unchanged. */
export function toDecodeError(cause: unknown, file: Buffer | undefined): unknown {
  if (cause instanceof AppError || (cause instanceof Error && diskError.test(cause.message))) return cause;
  return toReadError(cause, file);
}
