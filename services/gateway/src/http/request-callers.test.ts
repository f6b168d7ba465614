import { expect, it } from 'vitest';
import { prefixOf } from './request-callers.ts';

it.each([
  ['203.0.113.9', '203.0.113'],
  ['::ffff:203.0.113.9', '203.0.113'],
  ['2001:db8:12:34ff::1', '2001:db8:12:3400::'],
])('returns the IP prefix of %s', (address, prefix) => {
  expect(prefixOf(address)).toBe(prefix);
});
