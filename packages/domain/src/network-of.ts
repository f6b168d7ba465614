import ipaddr from 'ipaddr.js';

/**
 * Returns the network of an IP address: /24 for IPv4, including IPv4-mapped IPv6, and /56 for IPv6. One person may
 * control all addresses of such a network. An invalid address is returned as is.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '');
  if (!ipaddr.isValid(plain)) return address;
  const parsed = ipaddr.process(plain);
  const [kind, bits] = parsed.kind() === 'ipv4' ? [ipaddr.IPv4, 24] : [ipaddr.IPv6, 56];
  return `${kind.networkAddressFromCIDR(`${parsed}/${bits}`)}/${bits}`;
}
