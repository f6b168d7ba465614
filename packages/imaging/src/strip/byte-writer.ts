import { AppError } from '@uprez/contracts/errors/app-error';

/** Collects the parts of a file that are kept. */
export function openByteWriter(sizeBytes: number) {
  const bytes = Buffer.allocUnsafe(sizeBytes);
  let length = 0;
  return {
    add: (part: Buffer) => {
      length += part.copy(bytes, length);
    },
    finish: () => bytes.subarray(0, length),
  };
}

/** The part of a file from `start` up to `end`. Throws `corrupt_image` if the file ends before. */
export function partOf(file: Buffer, start: number, end: number): Buffer {
  if (start > end || end > file.length) throw new AppError('corrupt_image');
  return file.subarray(start, end);
}
