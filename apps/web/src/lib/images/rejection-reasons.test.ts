import { expect, it } from 'vitest';
import { describeRejection } from './rejection-reasons.ts';

const rejection = (...codes: string[]) => ({
  errors: codes.map((code) => ({ code, message: `message of ${code}` })),
});
const maxBytes = 50 * 1_024 ** 2;

it('says in plain words why a file is not accepted', () => {
  expect(describeRejection(rejection('file-invalid-type', 'file-too-small'), { maxBytes })).toBe(
    'This file is empty (0 bytes). Choose another file.',
  );
  expect(describeRejection(rejection('file-too-large'), { maxBytes })).toBe(
    'This file is too large. Each image can be up to 50 MB.',
  );
  expect(describeRejection(rejection('file-invalid-type'), { maxBytes })).toMatch(
    /^This file isn't a supported image\. Use JPEG/,
  );
  expect(describeRejection(rejection('too-many-files'), { maxBytes })).toBe('Choose one image at a time.');
  expect(describeRejection(rejection('another'), { maxBytes })).toBe('message of another');
});

it('names the types that a page accepts', () =>
  expect(describeRejection(rejection('file-invalid-type'), { maxBytes, unsupported: 'Choose a JPEG image.' })).toBe(
    'Choose a JPEG image.',
  ));
