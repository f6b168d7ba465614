import { expect, it } from 'vitest';
import { formatCaption } from './caption.ts';

it('returns sizes, bytes, time, and engine in one line', () => {
  const line = formatCaption({
    before: { width: 1_024, height: 768, sizeBytes: 1.2 * 1_024 ** 2 },
    after: { width: 4_096, height: 3_072, sizeBytes: 9.8 * 1_024 ** 2 },
    ms: 4_100,
    engine: 'photo-fast',
  });
  expect(line).toBe('1,024 x 768 -> 4,096 x 3,072 · 1.2 MB -> 9.8 MB · 4.1 s · photo-fast');
});
