import { expect, it } from 'vitest';
import { formatCaption } from './caption.ts';

const finished = {
  originalSize: { width: 1024, height: 768, fileSize: 1_258_291 },
  processedSize: { width: 4096, height: 3072, fileSize: 10_276_044 },
  processingTimeMs: 4_130,
  engine: 'photo-fast',
} as const;

it('contains sizes, bytes, time, and engine', () => {
  expect(formatCaption(finished)).toBe('1,024 x 768 -> 4,096 x 3,072 · 1.2 MB -> 9.8 MB (+717%) · 4.1 s · photo-fast');
});

it('omits unknown parts', () => {
  expect(formatCaption({ ...finished, processingTimeMs: null })).toBe(
    '1,024 x 768 -> 4,096 x 3,072 · 1.2 MB -> 9.8 MB (+717%) · photo-fast',
  );
  expect(formatCaption({ ...finished, processedSize: null })).toBe('1,024 x 768');
});
