import { expect, it } from 'vitest';
import { networkOf } from './network-of.ts';

it.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['::ffff:c000:24d', '192.0.2.0/24'],
  ['2001:db8:1:23ff::1', '2001:db8:1:2300::/56'],
  ['2001:db8:1:2300:9:8:7:6', '2001:db8:1:2300::/56'],
  ['::1', '::/56'],
  ['fe80::1%eth0', 'fe80::/56'],
  ['unknown', 'unknown'],
])('returns the network of %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
