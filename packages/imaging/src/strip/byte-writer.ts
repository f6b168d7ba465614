import { AppError } from '@uprez/contracts/errors/app-error';

/** Creates a writer that collects the kept parts of a file. `sizeBytes`: maximum size. */
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

/**
 * Returns the part of a file from `start` up to `end`. Throws `corrupt_image` if the file is too short or `start`
 * exceeds `end`.
 */
export function partOf(file: Buffer, start: number, end: number): Buffer {
  if (start > end || end > file.length) throw new AppError('corrupt_image');
  return file.subarray(start, end);
}
