import { expect, it } from 'vitest';
import { describeRejection } from './rejection-reasons.ts';

const rejection = (...codes: string[]) => ({
  errors: codes.map((code) => ({ code, message: `message of ${code}` })),
});

it('says in plain words why a file is not added', () => {
  expect(describeRejection(rejection('file-invalid-type', 'file-too-small'), 50 * 1_024 ** 2)).toBe(
    'This file is empty (0 bytes). Choose another file.',
  );
  expect(describeRejection(rejection('file-too-large'), 50 * 1_024 ** 2)).toBe(
    'This file is too large. Each image can be up to 50 MB.',
  );
  expect(describeRejection(rejection('file-invalid-type'), 50 * 1_024 ** 2)).toMatch(
    /^This file isn't a supported image\. Use JPEG/,
  );
  expect(describeRejection(rejection('another'), 50 * 1_024 ** 2)).toBe('message of another');
});
