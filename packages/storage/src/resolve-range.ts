import { AppError } from '@uprez/contracts/errors/app-error';
import type { GetOptions } from './storage.ts';

/** First byte and number of bytes that a range (or none) selects of an object. Throws `invalid_parameter`. */
export function resolveRange(range: GetOptions['range'], sizeBytes: number): { start: number; lengthBytes: number } {
  if (!range) return { start: 0, lengthBytes: sizeBytes };
  const end = Math.min(range.end ?? sizeBytes - 1, sizeBytes - 1);
  if (range.start < 0 || range.start > end) {
    throw new AppError('invalid_parameter', { param: 'range', detail: 'The requested range is outside the file.' });
  }
  return { start: range.start, lengthBytes: end - range.start + 1 };
}
