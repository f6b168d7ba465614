import type { ErrorCode } from '@uprez/contracts/errors/error-codes';

const fileErrorCodes: readonly string[] = [
  'file_too_large',
  'unsupported_format',
  'empty_file',
  'corrupt_image',
  'too_many_pixels',
  'side_too_long',
  'image_too_complex',
] satisfies ErrorCode[];

/** Whether an error is caused by the file itself. Another attempt would fail, too. */
export const isFileError = (code: string | undefined): boolean => code !== undefined && fileErrorCodes.includes(code);
