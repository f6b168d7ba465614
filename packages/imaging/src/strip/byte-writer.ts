import { AppError } from '@uprez/contracts/errors/app-error';

/** Creates a writer that collects the parts of a file to keep. `sizeBytes`: maximum total size, in bytes. */
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

/** Throws AppError `corrupt_image` if the file is too short or if `start` exceeds `end`. */
export function sliceChecked(file: Buffer, start: number, end: number): Buffer {
  if (start > end || end > file.length) throw new AppError('corrupt_image');
  return file.subarray(start, end);
}
