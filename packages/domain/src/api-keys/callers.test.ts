import { expect, test } from 'vitest';
import { isAddressAllowed } from './callers.ts';

test.each([
  [[], '198.51.100.7', true],
  [['198.51.100.7'], '198.51.100.7', true],
  [['198.51.100.7'], '198.51.100.8', false],
  [['198.51.100.7'], '::ffff:198.51.100.7', true],
  [['198.51.100.0/24'], '198.51.100.255', true],
  [['198.51.100.0/24'], '198.51.101.0', false],
  [['198.51.100.99/24'], '198.51.100.1', true],
  [['0.0.0.0/0'], '203.0.113.9', true],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['2001:db8::/32'], '2001:db8:ffff::1', true],
  [['2001:db8::/32'], '2001:db9::1', false],
  [['2001:db8::1'], '2001:0db8:0:0::1', true],
  [['fe80::/10'], 'fe80::1%eth0', true],
  [['192.0.2.1', '2001:db8::/32'], '2001:db8::5', true],
  [['192.0.2.1'], '', false],
])('isAddressAllowed(%j, %s) returns %s', (networks, address, expected) => {
  expect(isAddressAllowed(networks, address)).toBe(expected);
});
