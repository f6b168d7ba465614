import { AppError } from '@uprez/contracts/errors/app-error';
import { countStep, readBox, type TakeStep } from '../heif/read-boxes.ts';

/** Bytes of the index before a part of a codestream. */
export const indexBytes = 4;
const bareStart = 0xff0a;

/** Whether a file is a codestream without a container. */
export const isBareCodestream = (file: Buffer): boolean => file.length >= 2 && file.readUInt16BE(0) === bareStart;

/**
 * Find where the codestream of a JPEG XL file begins: at its start, or in the first box that contains one (ISO/IEC 18181-2).
 * Throws AppError `corrupt_image`.
 */
export function findCodestream(file: Buffer, take: TakeStep): number {
  if (isBareCodestream(file)) return 0;
  for (let at = 0; ; ) {
    countStep(take);
    const box = readBox(file, at, file.length);
    if (!box) throw new AppError('corrupt_image');
    if (box.type === 'jxlc') return box.start;
    if (box.type === 'jxlp') return box.start + indexBytes;
    at = box.end;
  }
}
