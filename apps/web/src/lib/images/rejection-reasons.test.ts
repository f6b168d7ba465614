import { expect, it } from 'vitest';
import { rejectionReasons } from './rejection-reasons.ts';

const errors = [
  { code: 'file-invalid-type', message: 'File type must be image/png' },
  { code: 'file-too-small', message: 'File is smaller than 1 byte' },
];

it('returns only instructions for HEIC, and all errors otherwise', () => {
  for (const name of ['IMG_1.HEIC', 'a.heif'])
    expect(rejectionReasons({ file: { name }, errors })).toEqual([
      expect.stringMatching(/^HEIC photos aren't supported/),
    ]);
  expect(rejectionReasons({ file: { name: 'a.txt' }, errors })).toEqual(errors.map(({ message }) => message));
});
